// The chat participant's turns over the real engine: what is said, what is done, which button takes it back.

import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Project } from '../../src/core/project';
import { endIn, followupsOf } from '../../src/views/chatTexts';
import { type Button, type ChatOut, type ChatTurn, takeTurn } from '../../src/views/chatTurns';
import { createPlainText } from '../../src/views/plainText';
import { createDeployProject } from '../support/modelChat';
import { providerOf, says, scriptedModel } from '../support/scriptedModel';
import type { TempProject } from '../support/tempProject';
import { englishWords } from '../support/words';

const never = new AbortController().signal;
const words = englishWords;

function createChat() {
  const said: string[] = [];
  const references: string[] = [];
  const buttons: Button[] = [];
  const out: ChatOut = {
    say: (pieces) => void said.push(pieces.map((piece) => ('text' in piece ? piece.text : piece.markdown)).join('')),
    markdown: (text) => void said.push(text),
    progress: () => {},
    reference: async (path) => void references.push(path),
    anchor: async (_path, name) => void said.push(name),
    button: (button) => void buttons.push(button),
  };
  return { out, text: () => said.join(''), references, buttons };
}

describe('@memory', function () {
  this.timeout(30_000);
  let temp: TempProject;
  beforeEach(async () => {
    temp = await createDeployProject();
  });
  afterEach(() => temp.remove());

  async function take(project: Project, turn: Partial<ChatTurn>, signal = never) {
    const chat = createChat();
    const whole = { command: undefined, prompt: '', place: undefined, before: [], chatModel: undefined, ...turn };
    const end = await takeTurn({ key: 'k', project }, whole, chat.out, words, signal);
    return { ...chat, end };
  }

  it('answers by words without a model, each memory with its reason and as a reference', async () => {
    const project = await temp.open();
    const { text, references, end, buttons } = await take(project, { prompt: 'when do we deploy?' });
    match(text(), /Deploy days\*\* · project · private[\s\S]*> Deploys are on Tuesdays\.[\s\S]*Picked for/);
    deepEqual([references, end.kind, end.found], [['project-deploys.md'], 'recall', 1]);
    deepEqual(
      buttons.map(({ command }) => command),
      ['reverie.open'],
    );
    ok(end.place);
    const nothing = await take(project, { prompt: 'the weather in Lisbon tomorrow?' });
    match(nothing.text(), /None of 1 memories fits/);
  });

  it('answers with a model’s words as they come, harmless, with what they rest on', async () => {
    const model = scriptedModel([says('On **Tuesdays**. ![x](https://evil.example/p.png) [run](command:quit)')]);
    const project = await temp.open({ provider: providerOf(model) });
    const { text, references, end } = await take(project, { prompt: 'when do we deploy?' });
    equal(text(), 'On **Tuesdays**. [x](https://evil.example/p.png) [run] (command:quit)');
    deepEqual([references, end.kind], [['project-deploys.md'], 'answer']);
  });

  it('says why no model answered, and answers by words', async () => {
    const provider = providerOf(scriptedModel([new Error('odd')]));
    const project = await temp.open({ provider });
    const { text } = await take(project, { prompt: 'when do we deploy?' });
    match(text(), /^The model gave no answer\. This was found by words:\n\n[\s\S]*on Tuesdays/);
  });

  it('goes on with a conversation over a command in between', async () => {
    const project = await temp.open();
    const first = await take(project, { prompt: 'when do we deploy?' });
    const between = await take(project, { command: 'recall', prompt: 'deploy', place: first.end.place });
    deepEqual(between.end.place, first.end.place);
    equal(endIn(JSON.parse(JSON.stringify(between.end)))?.place?.turn, 1);
  });

  it('remembers with a type in front or without, and takes it back by its button', async () => {
    const project = await temp.open();
    const { text, buttons, end } = await take(project, {
      command: 'remember',
      prompt: 'reference: CI is at ci.example',
    });
    match(text(), /^Remembered “.*”\.[\s\S]*reference · private/);
    equal(end.kind, 'remembered');
    const undo = buttons.find(({ command }) => command === 'reverie.undo');
    const [key, run] = undo?.arguments ?? [];
    equal(key, 'k');
    await project.undo(run as string);
    deepEqual(Object.keys(await temp.memories()), ['project-deploys.md']);
  });

  it('forgets what is named outright, and asks which one of those that only fit', async () => {
    const project = await temp.open();
    const asked = await take(project, { command: 'forget', prompt: 'what we said on deploys' });
    deepEqual([asked.end.kind, asked.end.found], ['choose', 1]);
    deepEqual(asked.buttons, [
      {
        label: 'Forget “Deploy days”',
        command: 'reverie.delete',
        arguments: [{ kind: 'memory', project: 'k', path: 'project-deploys.md' }],
      },
    ]);
    equal((await temp.memory('project-deploys.md')) === undefined, false);
    const none = await take(project, { command: 'forget', prompt: 'the weather in Lisbon' });
    match(none.text(), /nothing was forgotten/);
    const named = await take(project, { command: 'forget', prompt: '“deploy days”' });
    match(named.text(), /“Deploy days” is in the trash/);
    equal(await temp.memory('project-deploys.md'), undefined);
  });

  it('tells how memory is doing, also while it rests, and does nothing else then', async () => {
    const project = await temp.open();
    match((await take(project, { command: 'status' })).text(), /1 memory[\s\S]*Index: 0 of 200 lines[\s\S]*Offline/);
    await project.pause(undefined);
    const rest = await take(project, { command: 'remember', prompt: 'x y z' });
    deepEqual([rest.end.kind, rest.buttons.map(({ command }) => command)], ['rest', ['reverie.resume']]);
    match((await take(project, { command: 'status' })).text(), /Memory paused here/);
    equal(Object.keys(await temp.memories()).length, 1);
  });

  it('refuses in an untrusted workspace', async () => {
    const project = await temp.open({ trusted: false });
    const { text, end } = await take(project, { prompt: 'when do we deploy?' });
    match(text(), /off in this untrusted workspace/);
    equal(end.kind, 'rest');
  });

  it('dreams for a review and says what came of it', async () => {
    const project = await temp.open();
    const { text, end } = await take(project, { command: 'dream' });
    equal(end.kind, 'dream');
    match(text(), /The dream (?:found nothing to change|proposes \d)/);
  });

  it('says how a command is used that stands alone', async () => {
    const project = await temp.open();
    for (const command of ['remember', 'forget', undefined])
      equal((await take(project, { command, prompt: ' ' })).end.kind, 'usage');
  });
});

describe('what may be asked next', () => {
  it('fits what the turn came to, and is nothing after what nobody knows', () => {
    deepEqual(
      followupsOf({ kind: 'remembered' }, words).map(({ command }) => command),
      ['dream'],
    );
    equal(followupsOf({ kind: 'answer' }, words).length, 2);
    deepEqual(followupsOf(endIn({ kind: 'odd', place: { conversation: 3 } }), words), []);
    deepEqual([endIn(null), endIn('x')], [undefined, undefined]);
  });
});

describe('a model’s words in a chat', () => {
  const shown = (parts: readonly string[]) => {
    const plain = createPlainText();
    return parts.map(plain.next).join('') + plain.end();
  };
  const text = 'See ![a](https://x/y.png), [b](command:quit), [c]( <vscode://x>) and [d](https://x.example) wow!';
  it('fetch no picture and start no program, however they are cut on their way', () => {
    const whole = shown([text]);
    equal(whole, 'See [a](https://x/y.png), [b] (command:quit), [c] ( <vscode://x>) and [d](https://x.example) wow!');
    for (let size = 1; size < 12; size += 1) {
      const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      );
      equal(shown(parts), whole, `parts of ${size}`);
    }
  });
  it('come as they are said: only a few characters wait', () => {
    equal(createPlainText().next('On Tuesdays. '), 'On Tuesdays. ');
  });
});
