// Who uses a tool right now needs no note on how to use it, but may well need to hear of its faults, or where in it things
// are. Decided by the head alone: reference memories that name a tool in use are left out, unless they warn or point.

import { type MemoryHeader, stemOf } from '../memory/memory';

/** Names of tools that are everyday words: such a word alone does not name the tool. */
const everyday = new Set(
  `read write edit task search fetch skill agent monitor view list open run test build create update delete get set find
   browser file files shell terminal notebook plan think memory todo web code editor command execute call send`.split(
    /\s+/,
  ),
);

const warningOf = () =>
  new RegExp(
    [
      "warn|caution|careful|gotcha|pitfall|known (?:issue|bug|problem|limit)|issues? (?:with|in|on|when)|bugs?|buggy|break(?!point)|broke|fail|flak|crash|never|do not|don['’]t|must not",
      'avoid|deprecat|workaround|work around|caveat|trap|danger|beware|unsafe|slow|hang|leak|race|regress|limitation|incompatib|wrong|corrupt|lose|lost',
      'aten[çc][ãa]o|aviso|cuidado|nunca|evit|problema|falh|quebr|armadilha|limita[çc]|n[ãa]o us|perigo|erro conhecido|lent[oa]|trava|perde',
    ]
      .map((words) => `(?<![\\p{L}\\p{N}])(?:${words})`)
      .join('|'),
    'iu',
  );

const words = (list: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${list})(?![\\p{L}\\p{N}])`, 'iu');
/** It tells how to use something. */
const usageOf = () =>
  words(
    'usage|uses?|using|how|apis?|docs?|documentation|manual|guide|cheat ?sheet|tips?|flags?|options?|switches|syntax|commands?|parameters?|' +
      'arguments?|args|call(?:s|ing)?|invok\\p{L}+|examples?|install\\p{L}*|set ?up|uso|usar|como|comandos?|opç(?:ão|ões)|parâmetros?|' +
      'documentação|guia|exemplos?|chamar|instal\\p{L}+',
  );
/** It tells where something is. Who uses the tool wants to know just that. */
const pointerOf = () =>
  words(
    'tracked|trackers?|dashboards?|boards?|channels?|lives? (?:in|at)|kept (?:in|at)|found (?:in|at|under)|(?:is|are) (?:in|at|under)|where|located|' +
      'tickets?|projects?|workspaces?|https?|painel|quadros?|canal|canais|fica(?:m)? (?:em|n[oa]s?)|onde|projetos?',
  );

/** Made for the first question that needs them. */
let patterns: Readonly<Record<'warning' | 'usage' | 'pointer', RegExp>> | undefined;

/** Why a memory is left out while these tools are in use, in words for a person; `undefined` when it is not. */
export function suppressionOf(head: MemoryHeader, recentTools: readonly string[]): string | undefined {
  if (head.type !== 'reference' || recentTools.length === 0) return undefined;
  patterns ??= { warning: warningOf(), usage: usageOf(), pointer: pointerOf() };
  const { warning, usage, pointer } = patterns;
  const texts = [head.name, head.keywords.join(', '), stemOf(head.path), head.description ?? ''];
  if (texts.some((text) => warning.test(text))) return undefined;
  const text = texts.join('\n');
  if (pointer.test(text) && !usage.test(text)) return undefined;
  const tool = recentTools.find((name) => namesOf(name).some((word) => isNamed(word, text)));
  return tool === undefined ? undefined : `a note on how to use ${tool}, which is in use`;
}

/** What a tool goes by: its whole name and, of `mcp__server__tool`, both parts. */
function namesOf(tool: string): string[] {
  const parts = /^mcp__(.+?)__(.+)$/.exec(tool);
  return [tool, ...(parts ? parts.slice(1) : [])].map((name) => name.trim()).filter((name) => name.length > 1);
}

function isNamed(name: string, text: string): boolean {
  // `create_issue`, `create-issue`, `create issue` and `createIssue` are one name.
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  if (words.length === 0) return false;
  const pattern = words.map(escaped).join('[\\s_./-]*');
  const alone = (flags: string, rest = '') =>
    new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])${rest}`, flags).test(text);
  if (words.length > 1 || !everyday.has(name.toLowerCase())) return alone('iu');
  return alone('u', '[`*]*\\s+(?:tool|command|api|ferramenta)') || text.includes(`\`${name}\``);
}

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
