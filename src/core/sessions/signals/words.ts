// The words the offline rules know: verbs of instruction, people and parties, outside systems, in English and Portuguese.
// All of it is written folded (lower case, no accents) and is matched against folded text only.
// A word belongs here when it marks a kind of sentence, never because one sentence had it.

const words = (list: string): readonly string[] => list.trim().split(/\s+/);
const wordSet = (...lists: readonly (readonly string[])[]): ReadonlySet<string> => new Set(lists.flat());

/** Base forms that open an English instruction to a coding agent. */
const verbs = words(`
  add address adjust answer append apply ask assume attach avoid be begin bother break bring build bump call change check choose clean clear close
  comment commit compare complain compress confirm consider convert copy cover create debug declare default delete deploy describe design disable display
  do document double-check double drop duplicate edit embed enable end ensure escape expect explain export expose extract favor favour fetch fill find
  finish fix flag follow force format generate get give go group guess handle hardcode hard-code hate help hide hit ignore implement import include indent
  inform inject inline insert install invent invoke introduce jump keep label launch leave let limit like link lint list live load log look love make mark match mention
  merge migrate mix mock modify move name nest notify omit open order output overwrite paste pick pin ping place point post prefer prefix print
  propose provide publish pull push put quote raise rebase refactor refer regenerate reformat reject release remove rename render reorder repeat replace
  reply report request reread rerun reset resolve respond restart restore return reuse revert review rewrite round run save say scan scope search see
  select send separate set ship show sign simplify skip sort specify spell split squash stage start stash state stay stick stop store stub
  style submit suggest sum summarise summarize suppress switch sync tag take talk target tell test throw touch track translate treat trigger trim trust
  try turn type update upgrade upload use validate verify version wait warn wire work wrap write`);

/** Portuguese instruction forms: formal, informal and infinitive. */
const verbsPt = words(`
  adicione adiciona adicionar ajuste ajusta altere altera alterar anexe anexa apague apaga apagar aplique aplica aplicar atualize atualiza atualizar
  avise avisa avisar aumente aumenta busque busca chame chama chamar checa cheque coloque coloca colocar comece comeca comecar comente comenta comentar
  commite commita commitar comite comita compare compara confie confia confira confirme confirma confirmar considere considera converta converte converter
  copie copia copiar corrija corrige corrigir crie cria criar deixe deixa deixar delete deleta deletar descreva descreve diga diz dizer conte conta documente documenta documentar
  duplique duplica edite edita editar entregue escreva escreve escrever espere espera esperar evite evita evitar execute executa executar explique explica
  explicar exclua exclui faca faz fazer feche fecha force forca formate formata formatar gere gera gerar guarde ignore ignora ignorar implemente implementa
  inclua inclui incluir informe informa informar instale instala instalar invente inventa inventar liste lista logue loga mande manda mantenha mantem manter
  marque marca marcar mencione menciona mexa mexe mexer misture mistura mocke mocka mockar modifique modifica modificar mostre mostra mostrar mova move mover mude muda mudar nomeie nomeia
  olhe olha passe passa peca pede pedir pergunte pergunta perguntar ponha poe por prefira procure procura publique publica publicar pule pula pular quebre quebra
  reescreva reescreve remova remove remover renomeie renomeia repita repete resolva resolve responda responde responder resuma resume resumir retorne retorna
  reutilize reutiliza reverta reverte revise revisa revisar rode roda rodar salve salva salvar separe separa separar seja ser siga segue seguir suba sobe subir
  teste testa testar tente tenta tire tira tirar toque toca tocar trate trata tratar troque troca trocar traduza traduz use usa usar utilize utiliza utilizar valide valida validar
  verifique verifica verificar volte volta`);

/** Everything that opens an instruction in either language. A set: hundreds of words in a pattern take long to compile. */
export const orderWords = wordSet(verbs, verbsPt);

/** What a person can be at work. */
export const roles = wordSet(
  words(`
  accountant admin administrator analyst architect artist beginner biologist chemist cto ceo cfo coder consultant contractor dba designer dev developer devops
  director doctor economist editor engineer expert founder freelancer frontender backender hobbyist intern journalist junior lawyer lead learner librarian maintainer
  manager marketer mathematician mechanic musician newbie novice nurse owner person physicist physician pm po principal producer programmer publisher qa researcher salesperson
  scientist senior sre statistician student sysadmin teacher technician tester translator trainee writer`),
);

/** People and parties outside the code whose circumstances are facts of the project. */
const partiesEn = words(`
  accountants accounting admins agency analysts audience auditors auditor authorities authority bank banks board boss carrier carriers ceo cfo clerks client clients
  clinic clinics coaches city committee council district company compliance contractor courts cto customer customers dentists departments designers developers director doctors drivers dpo editors
  employees factory factories farmers finance fleet guests hospital hospitals hotel hr insurer investors journalists kids lab landlords lawyers legal librarians logistics
  manager marketing members merchants ministry museum nurses ops operators parents partner partners patients pilots players procurement qa readers regulator regulators reviewers reviewer sales
  sailors school schools security shareholders shops sponsors stakeholders stores students subscribers team teams supplier suppliers teachers tenants testers translators
  union users vendor vendors volunteers warehouse warehouses workers`);
const partiesPt = words(`
  advogados alunos auditoria auditores banco bancos caixas chefe cliente clientes comercial compliance compradores contabilidade contador contadores dentistas diretor diretora diretoria engenheiros entregadores
  equipe escola escolas estoque fabrica financeiro fornecedor fornecedores funcionarios galera gerencia gerente gestor gestores hospital hospitais infra investidores juridico laboratorio leitores museu
  aluno entregador loja lojas lojistas medico motorista operador paciente prefeitura vendedor marketing medicos motoristas operadora operadores pacientes pais parceiro parceiros pessoal professores regulador revisores rh seguranca seguradora suporte
  time times transportadora usuario usuarios vendedores vendas`);

/** Their machines stand for them: "the boats have no internet". */
const machines = words(`
  machines boats trucks tablets devices phones kiosk kiosks terminal terminals runners ships trains planes cars sensors printers scanners screens traffic`);
const machinesPt = words('maquinas celulares caminhoes aparelhos quiosque quiosques totens trafego');
export const parties = wordSet(partiesEn, machines);
/** Apart, because "time" is a team in one language and no party in the other. */
export const partiesOfPt = wordSet(partiesPt, machinesPt);

/** Systems outside the repository whose names are unmistakable even in lower case. */
export const systems = words(`
  airtable amplitude asana basecamp bigquery bitbucket bugsnag bugzilla buildkite circleci clickup confluence datadog dropbox elasticsearch figma github gitlab grafana honeycomb hubspot
  intercom jenkins jira kibana launchdarkly lokalise metabase miro mixpanel newrelic onedrive opsgenie pagerduty posthog productboard prometheus redash redmine rollbar s3 salesforce
  sentry servicenow sharepoint slack snowflake sonarqube splunk statuspage superset tableau trello typeform youtrack zendesk zeplin zoho wiki intranet runbook runbooks
  spreadsheet planilha bitrix pipefy movidesk telegram whatsapp discord`);
/** Systems named with a common word: only with a capital. */
export const capitalSystems =
  /\b(?:Linear|Notion|Drive|Docs|Teams|Vault|Looker|Shortcut|Crowdin|Phrase|Discord|Outlook|Calendar|Sheets|Storybook|Postman|Height|Coda|Segment|Backstage|Artifactory|Nexus|Power BI|New Relic)\b/;
