// What a dream does to memories and how it is checked, in a bundle of its own: it is loaded when a dream begins, which is once a day
// at most. Pure joining; no state of its own.

export { checkInvariants } from './dream/invariants';
export { measureLoss } from './dream/loss';
export { createTidy } from './dream/tidy';
