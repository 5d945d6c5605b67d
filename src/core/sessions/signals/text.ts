// Reads a prompt the way the offline rules need it: what the person typed, sentence by sentence, at its own offsets.
// Quoted, pasted, fenced, tagged and reported text is blanked out, because it was said by somebody else.
// Folding keeps every UTF-16 unit in its place, so an offset found in the folded text is an offset of the prompt.
// Refuses to guess: what looks pasted is left out, even when a person might have typed it.

/** Stands for the inside of a quotation, a code span or a URL: never a letter, never a space. */
export const quoted = '\ue001';
export const codeSpan = '\ue004';
export const urlMark = '\ue003';

export interface Sentence {
  /** Offsets of the sentence in the prompt, without bullets and outer space. */
  readonly start: number;
  readonly end: number;
  /** Folded and masked, the same length as the span. */
  readonly folded: string;
  readonly isQuestion: boolean;
  /** Counts blank lines: a cue reaches back only inside its own paragraph. */
  readonly paragraph: number;
}

const maxSentences = 300;
const maxSentenceLength = 700;
const maxTyped = 20_000;
/** A longer line is a paragraph; looking for code in it would cost more than it finds. */
const maxLineRead = 2000;

const foldCache = new Map<string, string>();

function foldUnit(unit: string): string {
  const code = unit.charCodeAt(0);
  if (code < 128) return code >= 65 && code <= 90 ? unit.toLowerCase() : code < 32 && unit !== '\n' ? ' ' : unit;
  const known = foldCache.get(unit);
  if (known !== undefined) return known;
  let folded = unit;
  if ('‘’‚`´'.includes(unit)) folded = "'";
  else if ('“”„«»'.includes(unit)) folded = '"';
  else if ('–—‐‑'.includes(unit)) folded = '-';
  else if (code === 0xa0 || code === 0x2028 || code === 0x2029) folded = ' ';
  else if (unit === 'º' || unit === 'ª' || unit === '°') folded = unit;
  else if (code < 0x250) {
    const base = unit.normalize('NFD').charAt(0).toLowerCase();
    if (base.length === 1) folded = base;
  }
  foldCache.set(unit, folded);
  return folded;
}

/**
 * Lower case without accents, one unit for one unit. A lone "é" (Portuguese "is") becomes "E", a capital
 * that nothing else folds to, so that it can be told from "e" ("and") and is a letter to every pattern.
 */
export function fold(text: string): string {
  let folded = '';
  for (let i = 0; i < text.length; i++) folded += foldUnit(text.charAt(i));
  return folded.replace(/(?<![a-z0-9_])e(?![a-z0-9_])/g, (letter, at: number) =>
    'éÉ'.includes(text.charAt(at)) ? 'E' : letter,
  );
}

function blank(text: string, start: number, end: number, mark = ' '): string {
  return text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, mark) + text.slice(end);
}

/** Replaces the given spans (in ascending order, not overlapping) in one pass. */
function blankAll(text: string, spans: readonly (readonly [number, number])[], mark = ' '): string {
  let out = '';
  let at = 0;
  for (const [start, end] of spans) {
    if (start < at) continue;
    out += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, mark);
    at = end;
  }
  return out + text.slice(at);
}

function fenceSpans(text: string): [number, number][] {
  const spans: [number, number][] = [];
  let at = 0;
  while (true) {
    const open = text.indexOf('```', at);
    if (open < 0) return spans;
    const close = text.indexOf('```', open + 3);
    const end = close < 0 ? text.length : close + 3;
    spans.push([open, end]);
    at = end;
  }
}

/** Elements with their content; an opening tag that imitates a machine's block swallows the rest when it is never closed. */
function elementSpans(text: string): [number, number][] {
  const open = new Map<string, number>();
  const spans: [number, number][] = [];
  for (const tag of text.matchAll(/<(\/?)([a-z][\w:-]{0,40})((?:\s[^<>]{0,200})?)>/g)) {
    const name = tag[2] ?? '';
    if (tag[1] === '/') {
      const start = open.get(name);
      open.delete(name);
      spans.push([start ?? tag.index, tag.index + tag[0].length]);
    } else if (!open.has(name)) open.set(name, tag.index);
  }
  for (const [name, start] of open) {
    if (/system|remind|instruct|tool|result|context|command|local|hook|memory/.test(name))
      spans.push([start, text.length]);
  }
  spans.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  return spans;
}

const logLine =
  /^\s*(?:\[?\d{4}[-/]\d\d[-/]\d\d[t ]\d\d:|\[?\d\d:\d\d:\d\d|(?:warn|warning|error|info|debug|trace|fatal|notice|hint)\b[\s:[(]|\[[\w -]{2,30}\]\s|\d+:\d+\s+(?:error|warning|info)|at \S+ ?\(|\S+\.\w{1,4}:\d+(?::\d+)?[\s:]|caused by|traceback|exit code|npm (?:err|warn)|\$ |[>❯$%#] ?\w|\+{1,3} |-{3} |@@ |diff --git|\|.*\||✓|✗|✔|✖|●|⎿|⏺|└|├|│)|[║│┌└╔╚═─]|^\s*\[\d\d\/\d\d\/\d\d /;
const codeLine = new RegExp(
  [
    String.raw`[;{}]\s*$|=>|:=|\(\)\s*[;{]|^\s*(?:\/\/|\/\*|\*\/)|^\s*<\/?\w`,
    String.raw`^\s*(?:import|export)\b.*['";]|^\s*(?:const|let|var)\s+[\w{[]+[^:]*=|^\s*(?:if|for|while|switch) ?\(.*\)`,
    String.raw`^\s*(?:return|function|class|public|private|def|func|interface|package|#include)\b.*[({;]\s*$|^\s*(?:def|class) \w+.*:\s*$`,
    String.raw`\w+\.\w+\([^)]*\)\s*$|^\s*[\w.-]+\s*[:=]\s*(?:["'][^"']*["'],?|[\d.]+,?|[[{].*)\s*$`,
  ].join('|'),
);
const speakerLine =
  /^\s*(?:\[?(?:system|assistant|tool|human|user|admin|developer|bot|ai)(?: (?:note|message|reminder|prompt|notice))?\]?\s*[:>\]]|\[(?:system|reminder|image|request|note from)\b)/;
/** A line that announces somebody else's words; what follows up to a blank line is theirs. */
const announcement =
  /\b(?:logs?|output|error|errors|trace|stack ?trace|page|docs?|documentation|readme|article|post|message|comments?|ticket|issue|review|feedback|says|said|reads|wrote|writes|pasted|copied|here is|here's|this is what|prompt|transcript|email|e-mail|mail|quote|diff|report|warning|findings?|suggest(?:s|ed|ion)|texto|pagina|saida|erro|diz|disse|colei|copiei|comentario|mensagem|artigo|segue|relatorio|plan|description|instructions|context|requirements|task|spec)\b[^\n]{0,60}[:：]\s*$/;

function maskLines(text: string): string {
  const lines = text.split('\n');
  let isQuotedBlock = false;
  const isPasted = lines.map((line) => line.length <= maxLineRead && (logLine.test(line) || codeLine.test(line)));
  return lines
    .map((line, i) => {
      const isBlank = line.trim() === '';
      const gone = ' '.repeat(line.length);
      if (isBlank) {
        isQuotedBlock = false;
        return line;
      }
      if (isQuotedBlock) return gone;
      if (line.length < 300 && announcement.test(line)) {
        isQuotedBlock = lines[i + 1]?.trim() !== '';
        return gone;
      }
      if (/^\s*>/.test(line) || speakerLine.test(line) || isPasted[i] === true) return gone;
      if (/^\s{0,3}#{1,6}\s/.test(line)) return gone;
      if (line.startsWith('    ') || line.startsWith('\t')) {
        if (isPasted[i - 1] === true || isPasted[i + 1] === true) return gone;
      }
      return line;
    })
    .join('\n');
}

function maskInline(text: string): string {
  let masked = text.replace(/\b(?:https?|wss?|ssh|file):\/\/[^\s"'<>)\]]{1,2000}/g, (url) => {
    const trail = /[.,;:!?]+$/.exec(url)?.[0].length ?? 0;
    return urlMark.repeat(url.length - trail) + url.slice(url.length - trail);
  });
  masked = masked.replace(/`[^`\n]{1,400}`/g, (span) => codeSpan.repeat(span.length));
  masked = masked.replace(/"[^"]{1,1500}"/g, (span) =>
    span.includes('\n\n') ? span : `"${quoted.repeat(span.length - 2)}"`,
  );
  masked = masked.replace(
    /(?<![\w'])'(?=\S)[^'\n]{1,400}(?<=\S)'(?!\w)/g,
    (span) => `'${quoted.repeat(span.length - 2)}'`,
  );
  // A dot inside a name, a number or a path ends no sentence.
  return masked.replace(/(?<=[\w/])\.(?=\w)/g, '·');
}

const abbreviation = /(?:^|[\s(])(?:e·g|i·e|p·ex|etc|vs|approx|dr|mr|mrs|ms|sr|sra|fig|ex|resp|ca|no|max|min|[a-z])$/;

/** The prompt as sentences the person typed. A very long prompt keeps its first and its last part. */
export function readSentences(text: string): readonly Sentence[] {
  let masked = fold(text.length > maxTyped ? blank(text, maxTyped / 2, text.length - maxTyped / 2) : text);
  masked = blankAll(masked, fenceSpans(masked));
  masked = blankAll(masked, elementSpans(masked));
  masked = maskInline(maskLines(masked));

  const sentences: Sentence[] = [];
  let start = 0;
  let paragraph = 0;
  const close = (end: number, isQuestion: boolean) => {
    const body = masked.slice(start, end);
    const space = body.length - body.trimStart().length;
    const marks =
      /^[-*•–\s]{0,8}(?:\(?\d{1,2}[.)]\s+|\[[ x]?\]\s*|[a-d]\)\s+)?["')\]\s]{0,8}/.exec(
        body.slice(space, space + 40),
      )?.[0] ?? '';
    const lead = body.slice(0, space + marks.length);
    const keptLead = lead.endsWith('"') && body.slice(lead.length).startsWith(quoted) ? lead.length - 1 : lead.length;
    const from = start + keptLead;
    const to = start + body.trimEnd().length;
    if (to - from >= 3 && to - from <= maxSentenceLength && /[a-z]/.test(masked.slice(from, to))) {
      sentences.push({ start: from, end: to, folded: masked.slice(from, to), isQuestion, paragraph });
    }
    start = end;
  };
  for (let i = 0; i < masked.length; i++) {
    const unit = masked.charAt(i);
    if (unit === '\n') {
      const next = /^\n[^\S\n]*(\S)?/.exec(masked.slice(i, i + 40))?.[1] ?? '';
      const isWrapped =
        i - masked.lastIndexOf('\n', i - 1) > 60 && /[a-z(]/.test(next) && !/[.!?:]\s*$/.test(masked.slice(start, i));
      if (isWrapped) continue;
      close(i, /\?\s*$/.test(masked.slice(start, i)));
      if (/^\n\s*\n/.test(masked.slice(i, i + 40))) paragraph++;
    } else if (unit === '.' || unit === '!' || unit === '?' || unit === '…') {
      let end = i + 1;
      while (end < masked.length && '.!?…"\')'.includes(masked.charAt(end))) end++;
      if (end < masked.length && !/\s/.test(masked.charAt(end))) continue;
      const marks = masked.slice(i, end);
      if (unit === '.' && end - i === 1 && abbreviation.test(masked.slice(Math.max(0, i - 8), i))) continue;
      if (unit === '.' && /^\s*\(?\d{1,2}$/.test(masked.slice(start, i))) continue;
      if (/^…+$/.test(marks) && /^[^\S\n]*[a-z]/.test(masked.slice(end, end + 3))) continue;
      close(end, marks.includes('?'));
      i = end - 1;
    }
  }
  close(masked.length, false);
  if (sentences.length <= maxSentences) return sentences;
  return [...sentences.slice(0, maxSentences / 2), ...sentences.slice(-maxSentences / 2)];
}

/** True for a prompt that is a document: a plan, a page or instructions pasted whole. Its rules are not the person's. */
export function isDocument(text: string): boolean {
  const head = text.slice(0, 20_000);
  if (
    /^\s*(?:you are (?:an?|the|in)\b|this session is being continued|implement the following plan|#{1,3} \S)/i.test(
      head,
    ) &&
    head.length > 400
  )
    return true;
  const headings = head.match(/^\s{0,3}#{1,6} \S|^\*\*[^*\n]{3,60}\*\*:?\s*$/gm)?.length ?? 0;
  return headings >= 2 || (text.length > 6000 && (head.match(/\n/g)?.length ?? 0) > 60);
}

const secretShape =
  /\b(?:gh[pousr]_\w{16,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{12,}|[srp]k_(?:live|test)_\w{8,}|xox[abprs]-[\w-]{8,}|AKIA[A-Z0-9]{12,}|AIza[\w-]{20,}|npm_\w{20,}|hf_\w{16,}|ya29\.[\w-]{10,}|eyJ[\w-]{10,}\.[\w.-]{10,}|\w{2,8}_(?:live|test|prod|sk|key)_\w{10,})/;
const secretValue =
  /\b(?:secret|segredo|token|api[ _-]?key|access[ _-]?key|chave(?: (?:de api|secreta|de acesso))?|credentials?|pin)\b(?: (?:for|of|d[oae]|to|no|na) [\w.-]+){0,3}\s*(?:itself )?(?:is|are|was|=|:|é|eh|->)\s*["'`]?(?=\S*\d)\S{4,}/i;
const passwordValue =
  /\b(?:password|passwd|pwd|passphrase|passcode|senha)\b(?: (?:for|of|d[oae]|to|no|na) [\w.-]+){0,3}\s*(?:is|was|=|:|é|eh|->)\s*["'`]?(?!(?:not|in|on|from|the|a|an|too|never|always|also|only|expired|wrong|stored|kept|rotated|required|optional|hashed|reset|guardad\w+|na|no|em|o|um|uma|nunca|sempre|obrigat\w+)\b)\S{4,}/i;

/** True when a stretch of text seems to hold a key, a token or a password. Errs on the side of yes: the price is a fact not kept. */
export function seemsSecret(text: string): boolean {
  if (
    secretShape.test(text) ||
    secretValue.test(text) ||
    passwordValue.test(text) ||
    /\/\/[^\s/:@]+:[^\s/@]+@/.test(text)
  )
    return true;
  if (/-----BEGIN [A-Z ]*PRIVATE KEY/.test(text) || /[?&](?:token|key|sig|secret|password)=\w/i.test(text)) return true;
  for (const word of text.replace(/https?:\/\/\S+/g, ' ').split(/[\s"'`,;()<>]+/)) {
    if (word.length < 20 || /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(word)) continue;
    if (/^[0-9a-f]+$/i.test(word) && /\d/.test(word)) return true;
    if (!/^[\w+/=.~-]+$/.test(word) || /[./-]{1}[a-z]+[./-]/i.test(word)) continue;
    const digits = word.replace(/\D/g, '').length;
    if (digits >= 3 && /[a-z]/.test(word) && /[A-Z]/.test(word)) return true;
  }
  return false;
}
