// Short forms that everybody who writes software uses for one word, and nothing else: who asks for the db means the
// database. No synonyms, no translations, and no short form that is a word of its own.

import { searchTermsOf } from '../memory/terms';

const groups = `
  db database | k8s kubernetes kube | ts typescript | js javascript | py python | repo repository repositório
  config configuration configuração | auth authentication autenticação | authn authentication | authz authorization
  env environment | prod production produção | dev development | docs documentation documentação | postgres postgresql pg
  mongo mongodb | infra infrastructure infraestrutura | app application aplicação | msg message | req request
  deps dependencies | perf performance | i18n internationalization | l10n localization | a11y accessibility
  o11y observability | sync synchronization | admin administrator | tf terraform | gql graphql | ws websocket
  param parameter parâmetro | lib library | dir directory diretório | pkg package | tmp temporary | stats statistics
  spec specification | cmd command | err error | fn function | impl implementation | init initialization | src source
  util utility | vars variables | ver version | prefs preferences | creds credentials
  sec security | ops operations | staging stg | vscode vsc | md markdown | yml yaml | img image
`;

const lists = groups.split(/[|\n]/).map((group) => group.split(/\s+/).filter((word) => word !== ''));
const initialOf = (word: string): string => word.normalize('NFD').charAt(0);

/** By the first letter of a term; made when the first such term is asked for, as a question has few. */
const tables = new Map<string, Map<string, Set<string>>>();

function tableOf(initial: string): ReadonlyMap<string, ReadonlySet<string>> {
  const known = tables.get(initial);
  if (known) return known;
  const table = new Map<string, Set<string>>();
  for (const list of lists) {
    if (!list.some((word) => initialOf(word) === initial)) continue;
    const terms = list.flatMap((word) => searchTermsOf(word).map(({ term }) => term));
    for (const term of terms) {
      const others = table.get(term) ?? new Set();
      for (const other of terms) if (other !== term) others.add(other);
      table.set(term, others);
    }
  }
  tables.set(initial, table);
  return table;
}

const none: ReadonlySet<string> = new Set();

/** Terms that mean the same as a term, as `searchTermsOf` gives them; none for most. */
export const sameWords = (term: string): ReadonlySet<string> => tableOf(term.charAt(0)).get(term) ?? none;
