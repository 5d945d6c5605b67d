// What works with a language model, in a bundle of its own: it is loaded when a model has been chosen and is needed, so that
// whoever uses none never pays for it. Pure joining; no state of its own.

export { answerTurn, chatPrefix, createForkExtract } from './chat/chatRun';
export { beforeAsMessages, formatQuestion } from './chat/prompt';
export { createModelDream } from './dream/modelDream';
export { runLogging } from './extraction/logRun';
export { createModelExtract } from './extraction/modelExtract';
export { createModelSelector } from './recall/modelSelector';
