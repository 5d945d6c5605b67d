// @ts-nocheck Mocha wants a reporter as the module itself, which the compiler settings do not know.
// Mocha reporter of `npm test`: JSON lines into REVERIE_RESULTS, and on the console only what failed.
const { reporters } = require('mocha');
const { recordResults } = require('./results');

module.exports = class Recorder extends reporters.Base {
  /**
   * @param {import('mocha').Runner} runner
   * @param {import('mocha').MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options);
    if (process.env.REVERIE_RESULTS) recordResults(runner, process.env.REVERIE_RESULTS);
    runner.once('end', () => this.epilogue());
  }
};
