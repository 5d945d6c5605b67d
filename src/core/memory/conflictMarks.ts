// The marks that a merge leaves in a text where two sides could not be joined: git's own, with or without the common ancestor
// (diff3, zdiff3), and what writes like it. A text with marks is two texts: nobody may read it as one, or write over it.

/** A mark of git's is seven characters, or more where an attribute says so; its label may be missing. */
const mark = /^(?:<{7,}|>{7,}|\|{7,})(?:[ \t]|\r?$)/m;

/** Where the marks begin, counted from 1; `undefined` in a text without any. One that is left over alone counts too. */
export function conflictLineOf(text: string): number | undefined {
  if (!text.includes('<<<<<<<') && !text.includes('>>>>>>>') && !text.includes('|||||||')) return undefined;
  const found = mark.exec(text);
  return found ? text.slice(0, found.index).split('\n').length : undefined;
}
