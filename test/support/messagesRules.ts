// What the Messages API refuses, and with which words' gist: known fields only, roles and blocks that fit, every tool call
// answered right after it, thinking given back as it was. A request that passes here is one the real API would take, as
// far as the rules are documented; limits of a model's own are the server's options.

import { blocksOf, isRecord, type Json, listOf } from './promptCache';

export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

const topFields = new Set(
  'model max_tokens messages system tools tool_choice stream thinking output_config metadata stop_sequences service_tier speed cache_control container diagnostics inference_geo'.split(
    ' ',
  ),
);
const blockFields: Readonly<Record<string, { readonly roles: readonly string[]; readonly fields: readonly string[] }>> =
  {
    text: { roles: ['user', 'assistant'], fields: ['text', 'citations'] },
    tool_result: { roles: ['user'], fields: ['tool_use_id', 'content', 'is_error', 'toolset_name'] },
    tool_use: { roles: ['assistant'], fields: ['id', 'name', 'input', 'caller', 'toolset_name'] },
    thinking: { roles: ['assistant'], fields: ['thinking', 'signature'] },
    redacted_thinking: { roles: ['assistant'], fields: ['data'] },
  };
const toolFields = new Set(
  'name description input_schema cache_control type strict eager_input_streaming input_examples'.split(' '),
);

class Refused extends Error {
  override readonly name = 'Refused';
}
function refuse(message: string): never {
  throw new Refused(message);
}
/** Why the API would refuse this body, or `undefined`. `signatures` are the thinking blocks it has handed out. */
export function refusalOf(body: unknown, signatures: ReadonlyMap<string, string>): Refusal | undefined {
  try {
    check(body, signatures);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { status: 400, type: 'invalid_request_error', message: error.message };
  }
}

function check(body: unknown, signatures: ReadonlyMap<string, string>): void {
  if (!isRecord(body)) refuse('The request body is not a JSON object.');
  for (const field of Object.keys(body)) if (!topFields.has(field)) refuse(`${field}: Extra inputs are not permitted`);
  if (typeof body.model !== 'string' || body.model === '') refuse('model: Field required');
  if (!Number.isInteger(body.max_tokens) || Number(body.max_tokens) < 0)
    refuse('max_tokens: Input should be a valid integer');
  checkTools(body.tools);
  if (body.system !== undefined && typeof body.system !== 'string' && !Array.isArray(body.system))
    refuse('system: Input should be a valid list');
  for (const [at, block] of blocksOf(body.system).entries()) {
    if (block.type !== 'text') refuse(`system.${at}.type: Input should be 'text'`);
    checkText(block, 'system');
  }
  checkMessages(body.messages, signatures);
  checkMarks(body);
  const format = (body.output_config as Json | undefined)?.format as Json | undefined;
  if (format && (format.type !== 'json_schema' || !isRecord(format.schema)))
    refuse('output_config.format: Input should be a JSON schema');
  if (format) checkSchema(format.schema);
}

function checkTools(tools: unknown): void {
  if (tools === undefined) return;
  if (!Array.isArray(tools)) refuse('tools: Input should be a valid list');
  const names = new Set<string>();
  for (const [at, tool] of listOf(tools).entries()) {
    for (const field of Object.keys(tool))
      if (!toolFields.has(field)) refuse(`tools.${at}.${field}: Extra inputs are not permitted`);
    if (typeof tool.name !== 'string' || !/^[\w-]{1,128}$/.test(tool.name))
      refuse(`tools.${at}.name: String should match pattern`);
    if (names.has(String(tool.name))) refuse('tools: Tool names must be unique.');
    names.add(String(tool.name));
    if (!isRecord(tool.input_schema) || tool.input_schema.type !== 'object')
      refuse(`tools.${at}.input_schema.type: Field required`);
  }
}

function checkText(block: Json, where: string): void {
  if (typeof block.text !== 'string') refuse(`${where}: text: Field required`);
  if (block.text === '') refuse(`${where}: text content blocks must be non-empty`);
  if (String(block.text).trim() === '') refuse(`${where}: text content blocks must contain non-whitespace text`);
}

function checkMessages(messages: unknown, signatures: ReadonlyMap<string, string>): void {
  if (!Array.isArray(messages)) refuse('messages: Field required');
  const all = listOf(messages);
  if (all.length === 0) refuse('messages: at least one message is required');
  if (all[0]?.role !== 'user') refuse('messages: first message must use the "user" role');
  for (const [at, message] of all.entries()) {
    const where = `messages.${at}`;
    for (const field of Object.keys(message))
      if (field !== 'role' && field !== 'content') refuse(`${where}.${field}: Extra inputs are not permitted`);
    if (message.role !== 'user' && message.role !== 'assistant')
      refuse(`${where}.role: Input should be 'user' or 'assistant'`);
    const blocks = blocksOf(message.content);
    if (blocks.length === 0) refuse(`${where}: all messages must have non-empty content`);
    for (const [index, block] of blocks.entries())
      checkBlock(block, String(message.role), `${where}.content.${index}`, signatures);
  }
  if (all.at(-1)?.role === 'assistant')
    refuse('This model does not support assistant message prefill. The conversation must end with a user message.');
  checkAnswers(all);
}

function checkBlock(block: Json, role: string, where: string, signatures: ReadonlyMap<string, string>): void {
  const kind = blockFields[String(block.type)];
  if (!kind?.roles.includes(role))
    refuse(`${where}: Input tag '${block.type}' does not match any of the expected tags`);
  for (const field of Object.keys(block))
    if (!['type', 'cache_control', ...kind.fields].includes(field))
      refuse(`${where}.${field}: Extra inputs are not permitted`);
  if (block.type === 'text') checkText(block, 'messages');
  if (block.type === 'tool_use') {
    if (typeof block.id !== 'string' || !/^[\w-]+$/.test(block.id)) refuse(`${where}.id: String should match pattern`);
    if (!isRecord(block.input)) refuse(`${where}.input: Input should be a valid dictionary`);
  }
  if (block.type === 'tool_result') {
    const parts = block.content === '' || block.content === undefined ? [] : blocksOf(block.content);
    for (const part of parts) if (part.type === 'text') checkText(part, 'messages');
  }
  if (block.type === 'thinking' && signatures.get(String(block.signature)) !== block.thinking)
    refuse(`${where}: Invalid \`signature\` in \`thinking\` block`);
}

/** Consecutive messages of one role are one message, as the API combines them. */
function checkAnswers(messages: readonly Json[]): void {
  const merged: { role: unknown; blocks: Json[] }[] = [];
  for (const { role, content } of messages) {
    const last = merged.at(-1);
    if (last && last.role === role) last.blocks.push(...blocksOf(content));
    else merged.push({ role, blocks: [...blocksOf(content)] });
  }
  const seen = new Set<unknown>();
  merged.forEach(({ role, blocks }, at) => {
    if (role === 'assistant') {
      const ids = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
      for (const id of ids) {
        if (seen.has(id)) refuse(`messages.${at}: \`tool_use\` ids must be unique`);
        seen.add(id);
      }
      const next = merged[at + 1]?.blocks ?? [];
      const results = next.slice(0, leading(next)).map(({ tool_use_id: id }) => id);
      const open = ids.filter((id) => !results.includes(id));
      if (open.length > 0)
        refuse(
          `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}.`,
        );
    } else {
      const before = (merged[at - 1]?.blocks ?? []).filter(({ type }) => type === 'tool_use').map(({ id }) => id);
      const answered = new Set<unknown>();
      for (const { type, tool_use_id: id } of blocks) {
        if (type !== 'tool_result') continue;
        if (!before.includes(id))
          refuse(`messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}.`);
        if (answered.has(id)) refuse(`messages.${at}: each tool_use must have a single result. Found multiple: ${id}`);
        answered.add(id);
      }
    }
  });
}

const leading = (blocks: readonly Json[]): number => {
  const end = blocks.findIndex(({ type }) => type !== 'tool_result');
  return end < 0 ? blocks.length : end;
};

function checkMarks(body: Json): void {
  const blocks = [
    ...listOf(body.tools),
    ...blocksOf(body.system),
    ...listOf(body.messages).flatMap(({ content }) => blocksOf(content)),
  ];
  const marked = [body, ...blocks].filter(({ cache_control: control }) => control !== undefined && control !== null);
  for (const { type, cache_control: control } of marked) {
    if (!isRecord(control) || control.type !== 'ephemeral') refuse("cache_control.type: Input should be 'ephemeral'");
    if (/thinking/.test(String(type))) refuse('cache_control: Extra inputs are not permitted');
  }
  if (marked.length > 4) refuse(`A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`);
}

function checkSchema(schema: unknown): void {
  if (Array.isArray(schema)) schema.forEach(checkSchema);
  if (!isRecord(schema)) return;
  if (schema.type === 'object' && schema.additionalProperties !== false)
    refuse("output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false");
  Object.values(schema).forEach(checkSchema);
}
