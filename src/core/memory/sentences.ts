// The sentences of a memory as they stand there, for a reader or a comparison. Nothing is judged or changed; how alike two
// of them are is for `similarity.ts` to say.

/** Sentences and list items of a text, marks of Markdown and labels such as **Why:** taken off. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*(?:[-*+>]|\d+[.)])\s+/, '').replace(/^\*\*[^*]{1,40}:\*\*\s*/, ''))
    .flatMap((line) => line.split(/(?<=[.!?。！？])\s+(?=\p{Lu}|\p{Lo})/u))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}
