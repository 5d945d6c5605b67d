// One chat session, one extraction by a scripted model: what the tests of model extraction have in common.

import type { AssistantBlock, ModelRequest, UserBlock } from '../../src/core/agent/languageModel';
import type { ExtractionOutcome } from '../../src/core/extraction/outcome';
import type { Project, ProjectOptions } from '../../src/core/project';
import { calls, providerOf, type Script, type ScriptedModel, scriptedModel } from './scriptedModel';
import { createTempProject, extractAll, openBeforeChats, type TempProject, turn } from './tempProject';

export interface Note {
  readonly type?: string;
  readonly name?: string;
  readonly description?: string;
  readonly sources?: string;
  readonly body?: string;
}

/** A memory as a model would write it. */
export const note = ({
  type = 'feedback',
  name = 'Use pnpm here',
  description = 'pnpm, never npm, in this project',
  sources = '[1]',
  body = 'Use pnpm in this project, never npm.',
}: Note = {}) =>
  `---\nname: ${name}\ndescription: ${description}\nmetadata:\n  type: ${type}\n  keywords: [pnpm, package manager]\n  sources: ${sources}\n---\n${body}\n`;

/** A project in which one memory is known: when it is deployed. */
export async function createDeployProject(): Promise<TempProject> {
  const temp = await createTempProject();
  const text = note({ type: 'project', name: 'Deploy days', body: 'Deploys are on Tuesdays.' });
  await temp.put('project-deploys.md', text);
  return temp;
}

export const write = (path: string, content: string) => calls(['Write', { file_path: path, content }]);

export const textOf = (request: ModelRequest | undefined) =>
  (request?.messages ?? [])
    .flatMap((message): readonly (UserBlock | AssistantBlock)[] => message.content)
    .map((block) => (block.type === 'text' || block.type === 'tool_result' ? block.text : ''))
    .join('\n');

export const resultsOf = (model: ScriptedModel) =>
  (model.received.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === 'user' ? message.content.filter((block) => block.type === 'tool_result') : [],
  );

export async function openWithModel(
  temp: TempProject,
  script: Script,
  options: Partial<ProjectOptions> = {},
): Promise<{ readonly model: ScriptedModel; readonly project: Project }> {
  const model = scriptedModel(script);
  return { model, project: await openBeforeChats(temp, { provider: providerOf(model), ...options }) };
}

export async function extractChat(
  temp: TempProject,
  script: Script,
  said = 'Please use pnpm here, not npm.',
  options: Partial<ProjectOptions> = {},
) {
  const { model, project } = await openWithModel(temp, script, options);
  await temp.chat('one', turn(said));
  const [outcome] = (await extractAll(project)) as [ExtractionOutcome];
  return { model, project, outcome };
}
