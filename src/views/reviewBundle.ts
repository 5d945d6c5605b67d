// The review as an editor loads it: one bundle of its own, read when somebody first opens a review.

export { outcomeOf, selectionOf } from './reviewChoice';
export { buildReview } from './reviewModel';
export { pageTexts } from './reviewTexts';
