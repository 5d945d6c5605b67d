// When nobody asked memory anything: a single word that was not meant as a question, or words that say to leave memory
// out of it. “Ignore memory leaks” says nothing of the kind.

/** Words behind *memory* that make it the machine's. */
const machine =
  '(?:leaks?|usage|use|limits?|errors?|allocat\\p{L}*|pressure|consumption|footprint|issues?|problems?|profil\\p{L}*|maps?|mapped|' +
  'manag\\p{L}*|models?|barriers?|access\\p{L}*|bound\\p{L}*|dumps?|cards?|warnings?|constraints?|overhead|address\\p{L}*|safe\\p{L}*|' +
  'corrupt\\p{L}*|size|cache|bandwidth|growth|spikes?|regions?|pages?|layout|order\\p{L}*|sanitizer|settings?|options?|flags?|metrics?)';
/** Who says not to ignore memory wants it. */
const wanted = "(?<!(?:not|never|n[’']t|não|nunca)\\s+)";
const english = () =>
  new RegExp(
    `(?<!\\p{L})${wanted}(?:${[
      'ignor(?:e|ing)|disregard(?:ing)?|skip|leave out',
      "(?:do not|don[’']t|never) (?:use|consult|check|look at|apply|rely on|refer to|draw on|consider|load|read)",
      'without (?:using|consulting|checking|relying on|looking at|(?=(?:your|any|saved|stored|previous)\\s))',
      '(?:answer|respond|reply|explain|solve|do (?:it|this|that))(?:\\s+\\S+){0,6}\\s+without',
    ].join(
      '|',
    )})\\s*(?<=\\s)(?:(?:the|your|all|any|my|our|of|saved|stored|previous)\\s+)*(?:memory|memories)(?!\\p{L}|[-_]|\\s+${machine}(?!\\p{L}))`,
    'iu',
  );
const portuguese = () =>
  new RegExp(
    `(?<!\\p{L})${wanted}(?:${[
      'ignor(?:e|a|ar|ando)|desconsider(?:e|a|ar)',
      'não (?:use|usa|usar|utilize|utilizar|consulte|consultar|considere|leia|recorra (?:a|à|às))',
      'sem (?:usar|utilizar|consultar|recorrer (?:a|à|às))',
      '(?:responda|responde|explique|resolva|faça)(?:\\s+\\S+){0,6}\\s+sem',
    ].join(
      '|',
    )})\\s+(?:(?:a|as|sua|suas|minha|minhas|toda|todas|nenhuma)\\s+)*memórias?(?!\\p{L}|\\s+(?:ram|heap|cache|física|virtual|suficiente|livre|d[aoe]s?\\s))`,
    'iu',
  );
const spaceless = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]{4}/u;

/** Without it the words can't say so, and the long patterns take a while to be made. */
const mentioned = /mem[oó]r/i;

/** Why nothing is looked for, or `undefined`. `automatic`: the words were not meant for memory. */
export function skipOf(query: string, automatic: boolean): 'one_word' | 'ignored' | undefined {
  const text = query.trim();
  if (mentioned.test(text) && (english().test(text) || portuguese().test(text))) return 'ignored';
  if (automatic && !/\s/.test(text) && !spaceless.test(text)) return 'one_word';
  return undefined;
}
