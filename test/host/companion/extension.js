// @ts-nocheck The language model API is newer than the pinned types.
// The tests' hand inside a host. It reads and writes only the folder in HOST_COMPANION:
//   settings.json    user settings to make so, at once when the file changes (null takes a setting away)
//   replies.json     what the model says next, first one first: a string, or parts [{ "text" } | { "tool", "input" }
//                    | { "error": "Blocked" | "NoPermissions" | "NotFound" } | { "hang": true }]
//   requests.jsonl   what the model was asked
// `@agent` in chat is an agent with memory's tools: it does what the chat's model says.
const { appendFileSync, existsSync, readFileSync, watchFile, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const vscode = require('vscode');

const folder = process.env.HOST_COMPANION;
const read = (name) =>
  existsSync(join(folder, name)) ? JSON.parse(readFileSync(join(folder, name), 'utf8')) : undefined;

async function applySettings() {
  for (const [key, value] of Object.entries(read('settings.json') ?? {})) {
    await vscode.workspace.getConfiguration().update(key, value ?? undefined, vscode.ConfigurationTarget.Global);
  }
}

const partOf = (part) => {
  if (typeof part === 'string') return { text: part };
  if (part instanceof vscode.LanguageModelTextPart) return { text: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart)
    return { tool: part.name, callId: part.callId, input: part.input };
  if (part instanceof vscode.LanguageModelToolResultPart)
    return { result: part.callId, content: part.content.map(partOf) };
  return { other: part?.constructor?.name };
};

function registerModel() {
  const info = {
    id: 'test-1',
    name: 'Test One',
    family: 'test',
    version: '1',
    maxInputTokens: 100_000,
    maxOutputTokens: 8192,
    capabilities: { toolCalling: true, imageInput: false },
  };
  let calls = 0;
  const provider = {
    provideLanguageModelChatInformation: () => [info],
    async provideLanguageModelChatResponse(_model, messages, options, progress, token) {
      const asked = messages.map((message) => ({ role: message.role, parts: message.content.map(partOf) }));
      const tools = (options.tools ?? []).map((tool) => tool.name);
      appendFileSync(join(folder, 'requests.jsonl'), `${JSON.stringify({ messages: asked, tools })}\n`);
      const replies = read('replies.json') ?? [];
      const heard = asked
        .at(-1)
        ?.parts.map((part) => part.text ?? '')
        .join('');
      const reply = replies.shift() ?? `The test model heard: ${heard}`;
      writeFileSync(join(folder, 'replies.json'), JSON.stringify(replies));
      for (const part of typeof reply === 'string' ? [{ text: reply }] : reply) {
        if (part.error) throw vscode.LanguageModelError[part.error]('as the test says');
        if (part.hang) {
          await new Promise((done) => token.onCancellationRequested(done));
          appendFileSync(join(folder, 'requests.jsonl'), `${JSON.stringify({ cancelled: true })}\n`);
          return;
        }
        calls += 1;
        const call = () => new vscode.LanguageModelToolCallPart(`call-${calls}`, part.tool, part.input ?? {});
        progress.report(part.tool ? call() : new vscode.LanguageModelTextPart(part.text));
      }
    },
    provideTokenCount: async (_model, text) => Math.ceil(JSON.stringify(text).length / 4),
  };
  // The workbench asks a provider for its models only when somebody wants one: want one, so that the chat's picker has it.
  const registered = vscode.lm.registerLanguageModelChatProvider('reverietest', provider);
  void vscode.lm.selectChatModels({ vendor: 'reverietest' });
  return registered;
}

const mostTurns = 5;

/** The tools are called as an agent of the editor calls them: in a chat, which asks the person. */
async function actAsAgent(request, _context, stream, token) {
  const { LanguageModelChatMessage: message, LanguageModelTextPart, LanguageModelToolResultPart } = vscode;
  const tools = vscode.lm.tools.filter(({ name }) => name.startsWith('reverie_'));
  const messages = [message.User(request.prompt)];
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const reply = await request.model.sendRequest(messages, { tools }, token);
    const parts = [];
    for await (const part of reply.stream) parts.push(part);
    for (const part of parts) if (part instanceof LanguageModelTextPart) stream.markdown(part.value);
    const calls = parts.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
    if (calls.length === 0) return;
    messages.push(message.Assistant(parts));
    const results = [];
    for (const { name, input, callId } of calls) {
      const { toolInvocationToken } = request;
      const content = await vscode.lm.invokeTool(name, { input, toolInvocationToken }, token).then(
        (result) => result.content,
        (error) => [new LanguageModelTextPart(`refused: ${error.message}`)],
      );
      results.push(new LanguageModelToolResultPart(callId, content));
    }
    messages.push(message.User(results));
  }
}

exports.activate = (context) => {
  if (!folder) return;
  void applySettings();
  watchFile(join(folder, 'settings.json'), { interval: 100 }, () => void applySettings());
  if (vscode.chat?.createChatParticipant) {
    context.subscriptions.push(vscode.chat.createChatParticipant('reverie-test.agent', actAsAgent));
  }
  if (vscode.lm?.registerLanguageModelChatProvider) context.subscriptions.push(registerModel());
};
