// Finds the texts of the program in its source: the first argument of every call of `t(…)` or `….t(…)`. A text that is not
// a literal could not be translated, so it is reported and not passed over.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface FoundTexts {
  readonly texts: ReadonlySet<string>;
  /** `file:line` of calls whose text is put together while running. */
  readonly computed: readonly string[];
}

export function findTexts(folder: string): FoundTexts {
  const texts = new Set<string>();
  const computed: string[] = [];
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const source = ts.createSourceFile(name, readFileSync(join(folder, name), 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && isTranslation(node.expression)) {
        const [text] = node.arguments;
        if (text && ts.isStringLiteralLike(text)) texts.add(text.text);
        else computed.push(`${name}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { texts, computed };
}

const isTranslation = (called: ts.Expression): boolean =>
  (ts.isIdentifier(called) && called.text === 't') ||
  (ts.isPropertyAccessExpression(called) && called.name.text === 't');

/** `{0}`, `{1}`… of a text, each once, in order. */
export const argumentsOf = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(/\{\d+\}/g)].map(([found]) => found))].sort();
