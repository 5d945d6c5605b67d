// The virtual module that holds one loader for each test file of this folder.
declare module 'suites:all' {
  export const suites: readonly (() => Promise<unknown>)[];
}
