// Where something outside the repository is kept: trackers, dashboards, documents, channels, with or without an address.
// Refuses the pull request at hand, hosts of code, and the system as a subject of the work ("the Slack bot is broken").

import { anyOf, raw } from './clause';
import { capitalSystems, systems } from './words';

export const hasUrl = (body: string): boolean => body.includes('\ue003');

const outside = [
  raw`\ue003|\b(?:${systems.join('|')})\b|\bgoogle (?:drive|docs?|sheets?|calendar)\b|\bpower ?bi\b|\bnew relic\b|#[a-z][\w-]{2,}|\b(?:repo|repository|repositorio) [\w-]+\/[\w-]+`,
  raw`\bshared? (?:drive|folder|calendar|inbox|mailbox|doc)\b|\b(?:pasta|drive|planilha) compartilhad[oa]\b|\bhelp ?desk\b`,
  raw`\b(?:our|internal|team|company) (?:wiki|tracker|dashboard|status page|knowledge base|handbook|portal|catalog|registry|backlog|kanban|board|rota|calendar|inbox|mailing list|style ?guide)\b`,
  raw`\b(?:nosso|nossa) (?:wiki|painel|portal|catalogo|backlog|quadro|kanban|agenda|calendario)\b`,
].join('|');
const outsides = new RegExp(outside, 'g');
/** Stands for any outside place once it is found: the patterns below then need no list. */
const out = '\ue006';

const located = anyOf(
  raw`\b(?:project|board|channel|dashboard|page|file|folder|dataset|index|sheet|view|queue|space|projeto|quadro|painel|pagina|arquivo|pasta|planilha|fila|canal) "\ue001+"[^.;]{0,30}?${out}|${out},? (?:project|board|channel|dashboard|page|file|folder|dataset|index|sheet|view|queue|space|projeto|quadro|painel|pagina|arquivo|pasta|planilha|fila|canal) "\ue001+"`,
  raw`\b(?:comes?|taken|read|pulled|imported|synced|vem|vêm) (?:from|d[oae]s?)\b[^.;]{0,40}?${out}`,
  raw`\b(?:is|are|was|lives?|goes?|go|stays?|sits?|kept|tracked|documented|stored|collected|found|filed|managed|hosted|maintained|published|described|listed|reported|posted|belongs?|lands?|ends? up|written|discussed|handled|planned|logged|archived|find|see|check|look)\b[^.;]{0,70}?(?:\b(?:in|on|at|under|to|from|inside|via|through|within)\b|:)[^.;]{0,40}?${out}`,
  raw`${out}[^.;]{0,80}?\b(?:is|are|has|holds?|contains?|shows?|lists?|tracks?|keeps?|documents?|describes?|covers?|explains?|tells?)\b (?:what|where|the|all|our|how|whether|which|who|every|for|a|an|always|only)\b`,
  raw`\b(?:board|dashboard|runbook|wiki|file|page|sheet|spreadsheet|doc|document|docs|spec|specs|design|designs|mockups?|tickets?|bugs|issues|channel|project|repo|rota|schema|glossary|playbook|handbook|calendar|report|link|url|swagger|manual|painel|quadro|arquivo|documento|documentacao|planilha|pagina|canal|projeto|telas?|chamados|contrato)\b[^.;]{0,60}?(?:\bis\b|\bare\b|=|:|E|\bfica\b|\besta\b|\bsao\b)[^.;]{0,40}?${out}`,
  raw`\b(?:fica|ficam|esta|estao|ta|tao|vive|vivem|mora|moram|cai|caem|vai|vao|guardad[oa]s?|registrad[oa]s?|documentad[oa]s?|rastread[oa]s?|abert[oa]s?|encontra\w*|acha|tem|publica\w*|acompanha\w*)\b[^.;]{0,60}?\b(?:no|na|nos|nas|em|num|numa|pro|pra|para o|para a|pelo|pela)\b[^.;]{0,40}?${out}`,
  raw`\b(?:questions?|problems?|requests?|alerts?|incidents?|bugs?|issues?|crash(?:es)?(?: reports?)?|duvidas?|alertas?|pedidos?|chamados?|erros?)\b[^.;]{0,40}?\b(?:go|goes|to|are|is|get|gets|vao|vai|caem|cai|sao|ficam)\b[^.;]{0,40}?${out}`,
);
/** "We use Datadog for metrics": which system serves what. */
const inUse = new RegExp(
  raw`^(?:(?:here |currently |at work |aqui |no time )?(?:we|the team|our team|a gente|nos|o time) (?:all |also |currently |tambem )*(?:use|uses|usa|usamos)|usamos) (?:the |our |o |a |nosso |nossa )?(?:${out}|[a-z]+)(?: (?:and|e) (?:o |a )?[\w]+)? (?:for|as (?:our|the)|pra|para|como) (?!(?:this|that|it|now|isso)\b)\S`,
);
const capitalLocated =
  /\b(?:is|are|lives?|goes?|stays?|kept|tracked|documented|stored|collected|found|filed|managed|hosted|fica|ficam|esta|estao|cai|caem|vao|vai)\b[^.;]{0,60}?\b(?:in|on|at|under|to|from|no|na|em)\b/;
/** A place we have never heard of, named with a capital behind a verb of keeping. Databases and hosts are part of the code. */
const keptInName =
  /\b(?:tracked|kept|managed|documented|collected|filed|maintained|planned|published|keeps?|tracks?|manages?|publish(?:es)?|collects?|guarda|mant[eé]m|acompanha)\b[^.;,]{0,40} (?:in|on|at|no|na|em) (?:the |our |their )?(?!(?:Redis|Postgres\w*|MySQL|SQLite|Mongo\w*|Docker|Kubernetes|Git|Node|React|Go|Rust|Python|Java\w*|TypeScript|Linux|Windows|English|German|Portuguese|Monday|Tuesday|Wednesday|Thursday|Friday|January|February|March|April|May|June|July|August|September|October|November|December)\b)[A-Z][a-zA-Z]{2,}/;
const codeHost =
  /\b(?:pull|pulls|issues|commit|commits|actions|blob|tree|compare|merge_requests|runs)\/|localhost|127\.0\.0\.1|0\.0\.0\.0|\bfile:\/\//;
const aboutTheSystem =
  /^(?:here (?:is|are|'s)|your |e·g|when i|use\b)|\b(?:this (?:pr|branch|issue|commit)|is ready|pr ?#?\d|issue #?\d|merged?|rebase|reviewing|failing|broken|404|500|returns?|throws?|redirect\w*|deploy(?:ed|ing)?|push(?:ed|ing)?|posted? (?:a |the )?comment|github (?:actions?|action|ci|workflow|api|repo|checks?|runners?)|slack (?:message|bot|api|integration)|sentry (?:sdk|error)|error (?:message|when|with)|bug is|user is here)\b/;
const request = /^(?:can|could|let's|lets|we should|we need|i want|i need|i'd like)\b/;

/** Says where something is kept, or what an outside place is for. `typed` is the same stretch as the person wrote it. */
export function isWhereabouts(body: string, typed: string): boolean {
  if (codeHost.test(typed) || aboutTheSystem.test(body) || request.test(body)) return false;
  const marked = body.replace(outsides, out);
  if (keptInName.test(typed)) return true;
  if (inUse.test(marked) && (marked !== body || capitalSystems.test(typed))) return true;
  return (marked !== body && located.test(marked)) || (capitalSystems.test(typed) && capitalLocated.test(body));
}

const askWhere =
  /\b(?:ask|post|write|report|questions?|help|pergunta|pergunte|avisa|avise)\b.{0,30}\b(?:in|to|on|no|na|em|pro|canal)\b (?:the |o |a )?(?:channel |canal )?#[a-z]/;
/** "Ask in #data-eng when …": an order, but one that says where to turn. */
export const isWhereToAsk = (body: string): boolean => askWhere.test(body);
