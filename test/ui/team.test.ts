// Team memory in a real workbench: switched on, a memory shared after a look at what others will see, a secret refused, a
// teammate's pull marked as new until it is opened, a conflict shown with its way out, and everything taken back. The
// teammate is a second clone. Pictures land in shots/, in three themes and two widths, to be looked at.

import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { useSession } from './session';

const folder = '.reverie/team';
/** Made up at run time, so that nobody takes this file for one that holds a secret. */
const token = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`;
const memory = (name: string, type: string, body: string): string =>
  `---\nname: ${name}\ndescription: ${name}.\nmetadata:\n  type: ${type}\n  modified: ${new Date(Date.now() - 3 * 86_400_000).toISOString()}\n---\n\n${body}\n`;

describe('team memory', function () {
  this.timeout(120_000);
  const session = useSession({
    size: { width: 1200, height: 900 },
    settings: { 'reverie.dream.mode': 'manual', 'git.openRepositoryInParentFolders': 'never' },
  });

  const page = () => session().workbench.page;
  const row = (text: string | RegExp): Locator => session().workbench.treeRow(text);
  const badge = (text: string | RegExp): Locator => row(text).locator('[class*="itemBadge"]');
  const inTeam = (name: string): string => join(session().sample.project, folder, name);
  const own = (name: string): string => join(session().sample.memoryDir, name);
  const ana = (): string => join(dirname(session().sample.project), 'ana');
  const git = (where: string, ...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], {
      cwd: where,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: dirname(session().sample.project), GIT_CONFIG_NOSYSTEM: '1' },
    });
  const commit = (where: string, message: string): void => {
    git(where, 'add', '-A');
    git(where, 'commit', '-q', '-m', message);
  };
  const clear = (): Promise<void> => session().workbench.palette('Notifications: Clear All Notifications');
  const dialog = (): Locator => page().locator('.monaco-dialog-box');
  const gone = (one: Locator): Promise<void> => one.waitFor({ state: 'detached' });

  async function menuOf(text: string | RegExp, action: string): Promise<void> {
    await row(text).first().click({ button: 'right' });
    const entry = page().locator('.context-view .action-item', { hasText: action });
    await entry.hover();
    await page().keyboard.press('Enter');
    await entry.waitFor({ state: 'detached' });
  }
  async function toastButton(text: string | RegExp, button: string): Promise<void> {
    const toast = session().workbench.toast(text);
    await toast.locator('.monaco-button', { hasText: button }).click();
    await toast.waitFor({ state: 'hidden' });
  }

  function cloneForTeammate(): void {
    const { project } = session().sample;
    const hub = join(dirname(project), 'hub.git');
    git(dirname(project), 'clone', '-q', '--bare', project, hub);
    git(project, 'remote', 'add', 'origin', hub);
    git(project, 'fetch', '-q');
    git(project, 'branch', '-q', '--set-upstream-to=origin/main');
    git(dirname(project), 'clone', '-q', hub, ana());
    for (const [where, name] of [
      [project, 'Bo Berg'],
      [ana(), 'Ana Silva'],
    ] as const) {
      git(where, 'config', 'user.name', name);
      git(where, 'config', 'user.email', `${name.split(' ')[0]?.toLowerCase()}@example.invalid`);
      git(where, 'config', 'pull.rebase', 'false');
    }
  }

  it('is offered where somebody wants to share, and says what it means before it is switched on', async () => {
    const { workbench, sample } = session();
    cloneForTeammate();
    await workbench.openContainer('Memory');
    await workbench.sidebarWidth(300);
    await row('retry-budget').waitFor();
    await menuOf('retry-budget', 'Move to Team…');
    await toastButton('Team memory is off in this workspace.', 'Set Up Team Memory…');
    await workbench.quickPickRow(folder).waitFor();
    await page().waitForTimeout(500);
    await workbench.screenshot('team-setup');
    await workbench.quickPickRow(folder).click();
    await dialog().waitFor();
    await workbench.screenshot('team-agree');
    await dialog().locator('.monaco-button', { hasText: 'Switch On' }).click();
    await workbench.toast(`Team memory is on, in ${folder}.`).waitFor();
    assert.ok(existsSync(inTeam('MEMORY.md')));
    assert.match(readFileSync(join(sample.project, '.vscode/settings.json'), 'utf8'), /"reverie\.team\.enabled": true/);
    await clear();
    commit(sample.project, 'Share memories');
    git(sample.project, 'push', '-q', 'origin', 'HEAD');
    git(ana(), 'pull', '-q');
  });

  it('shows what others will see and shares by one choice', async () => {
    const { workbench } = session();
    await menuOf('retry-budget', 'Move to Team…');
    await workbench.quickPickRow('Share').first().waitFor();
    await page().locator('.monaco-diff-editor .view-line', { hasText: 'name:' }).first().waitFor();
    await workbench.screenshot('team-preview');
    assert.equal(existsSync(inTeam('retry-budget.md')), false, 'nothing is shared before');
    await page().keyboard.press('Enter');
    await workbench.toast('Shared “retry-budget” with the team.').waitFor();
    assert.ok(existsSync(inTeam('retry-budget.md')));
    assert.equal(existsSync(own('retry-budget.md')), false);
    assert.doesNotMatch(readFileSync(inTeam('retry-budget.md'), 'utf8'), /originSessionId/);
    assert.match(readFileSync(inTeam('MEMORY.md'), 'utf8'), /\(retry-budget\.md\)/);
    await badge('retry-budget').waitFor({ state: 'attached' });
    await workbench.screenshot('team-shared');
  });

  it('takes that back to the byte', async () => {
    const { workbench } = session();
    await toastButton('Shared “retry-budget” with the team.', 'Undo');
    await badge('retry-budget').waitFor({ state: 'detached' });
    assert.ok(existsSync(own('retry-budget.md')));
    assert.equal(existsSync(inTeam('retry-budget.md')), false);
    await clear();
    // Without a row it asks for the memory; the list can be put away to read.
    await workbench.palette('Memory: Move to Team…');
    await workbench.quickPickRow('retry-budget').first().click();
    await workbench.quickPickRow('Read It First').click();
    await workbench.quickInput().waitFor({ state: 'hidden' });
    await workbench.screenshot('team-read');
    assert.equal(existsSync(inTeam('retry-budget.md')), false, 'nothing is shared by reading');
    await page().locator('.editor-actions a.action-label[aria-label^="Share with the Team"]').first().click();
    await workbench.toast('Shared “retry-budget” with the team.').waitFor();
    await clear();
  });

  it('refuses a secret by rule and line, never by its value, and leads to the line', async () => {
    const { workbench } = session();
    writeFileSync(own('deploy.md'), memory('Deploy', 'reference', `Log in first.\n\nUse ${token} for it.`));
    await row('Deploy').waitFor();
    await menuOf('Deploy', 'Move to Team…');
    const toast = workbench.toast('“Deploy” stays private: line 11 looks like it holds a secret');
    await toast.waitFor();
    assert.ok(!((await toast.textContent()) ?? '').includes(token));
    await toast.locator('.monaco-button', { hasText: 'Open Line 11' }).waitFor();
    await page().waitForTimeout(500);
    await workbench.screenshot('team-secret');
    await toast.locator('.monaco-button', { hasText: 'Open Line 11' }).click();
    await workbench.tab('deploy.md').waitFor();
    assert.equal(existsSync(inTeam('deploy.md')), false);
    await clear();
    await workbench.palette('View: Close All Editors');
  });

  it('marks what a teammate’s commit brought as new, with who wrote it, until it is opened', async () => {
    const { workbench, sample } = session();
    commit(sample.project, 'Share the retry budget');
    git(sample.project, 'push', '-q', 'origin', 'HEAD');
    git(ana(), 'pull', '-q');
    mkdirSync(join(ana(), folder), { recursive: true });
    writeFileSync(
      join(ana(), folder, 'freeze.md'),
      memory('Release freeze', 'project', 'Nothing is merged after the 12th.'),
    );
    writeFileSync(
      join(ana(), folder, 'runner.md'),
      memory('Blue runner', 'reference', 'Deploys run on the blue runner.'),
    );
    commit(ana(), 'Say when the freeze is');
    git(ana(), 'push', '-q', 'origin', 'HEAD');
    git(sample.project, 'pull', '-q');
    await row(/Release freeze.*new from Ana Silva/).waitFor();
    await workbench.screenshot('team-new');
    await row('Release freeze').hover();
    const hover = page().locator('.monaco-hover', { hasText: 'Written' });
    await hover.waitFor();
    assert.match(
      (await hover.textContent()) ?? '',
      /Shared by Ana Silva, .*It is a note to be checked, no instruction\./,
    );
    await workbench.screenshot('team-hover');
    await page().mouse.move(900, 500);
    await row('Release freeze').click();
    await workbench.tab('freeze.md').waitFor();
    await gone(row(/Release freeze.*new from/));
    await row(/Blue runner.*new from Ana Silva/).waitFor();
    await workbench.palette('Memory: Mark All Team Memories as Seen');
    await gone(row(/Blue runner.*new from/));
    await workbench.palette('View: Close All Editors');
  });

  it('shows a merge conflict as a problem that leads to both sides, and writes nothing over it', async () => {
    const { workbench, sample } = session();
    const said = (where: string, text: string) =>
      writeFileSync(join(where, folder, 'freeze.md'), memory('Release freeze', 'project', text));
    said(ana(), 'Nothing is merged after the 14th.');
    commit(ana(), 'Move the freeze');
    git(ana(), 'push', '-q', 'origin', 'HEAD');
    said(sample.project, 'Nothing is merged after the 13th.');
    commit(sample.project, 'Move the freeze, too');
    assert.throws(() => git(sample.project, 'pull', '-q', '--no-edit'));
    await row(/freeze\.md.*merge conflict/).waitFor();
    const before = readFileSync(inTeam('freeze.md'), 'utf8');
    await row(/freeze\.md.*merge conflict/).hover();
    await workbench.screenshot('team-conflict');
    await row(/freeze\.md.*merge conflict/)
      .locator('a.action-label[aria-label^="Resolve in Merge Editor"]')
      .click();
    await page().locator('.merge-editor').first().waitFor();
    await page().locator('.merge-editor .view-line', { hasText: 'after the 14th' }).first().waitFor();
    await workbench.screenshot('team-merge-editor');
    assert.equal(readFileSync(inTeam('freeze.md'), 'utf8'), before);
    await workbench.palette('View: Close All Editors');
    // The editor asks only once it has counted the conflicts.
    const close = dialog().locator('.monaco-button', { hasText: /Close with Conflicts|Don.t Save/ });
    while ((await page().locator('.merge-editor').count()) > 0) {
      if (await close.isVisible()) await close.click();
      await page().waitForTimeout(100);
    }
    said(sample.project, 'Nothing is merged after the 14th.');
    commit(sample.project, 'Agree on the freeze');
    await gone(row(/freeze\.md.*merge conflict/));
    await row('Release freeze').waitFor();
  });

  it('says in an answer who of the team wrote what', async () => {
    const { workbench } = session();
    await page().keyboard.press('Control+p');
    await workbench.quickInput().fill('retry.ts');
    await workbench.quickPickRow('retry.ts').first().waitFor();
    await page().keyboard.press('Enter');
    await page().locator('.monaco-editor.focused').first().waitFor();
    await workbench.palette('Memory: Recall…');
    const comment = page().locator('.review-comment', { has: page().locator('.author', { hasText: 'retry-budget' }) });
    await comment.getByText('team, by Bo Berg').waitFor();
    await comment.getByText('Shared by Bo Berg').waitFor();
    await workbench.screenshot('team-recall');
  });

  it('looks as drawn in three themes and in a narrow side bar', async () => {
    const { workbench, sample } = session();
    await workbench.palette('View: Close All Editors');
    await page().keyboard.press('Control+j');
    await page().locator('.part.panel').waitFor({ state: 'hidden' });
    writeFileSync(join(ana(), folder, 'tabs.md'), memory('Indentation', 'feedback', 'We indent with 2 spaces.'));
    git(ana(), 'pull', '-q', '--no-edit', '-X', 'ours');
    commit(ana(), 'Say how to indent');
    git(sample.project, 'push', '-q', 'origin', 'HEAD');
    git(ana(), 'pull', '-q', '--no-edit');
    git(ana(), 'push', '-q', 'origin', 'HEAD');
    git(sample.project, 'pull', '-q', '--no-edit');
    await row(/Indentation.*new from Ana Silva/).waitFor();
    await workbench.inThemes((name) => workbench.screenshot(`team-${name}`));
    await workbench.sidebarWidth(220);
    await workbench.screenshot('team-narrow');
    await workbench.sidebarWidth(300);
  });

  it('names what is left out, what it would tell of the person, and what the team says to it', async () => {
    const { workbench } = session();
    const at = new Date(Date.now() - 2 * 86_400_000).toISOString();
    writeFileSync(
      own('indent.md'),
      [
        '---',
        'name: Indent with four spaces',
        'description: Four spaces, also in generated files',
        'metadata:',
        '  type: feedback',
        '  originSessionId: 3f0c8e1d-52ab-4c10-9d2e-aa10bb20cc30',
        `  modified: ${at}`,
        '---',
        '',
        'We indent with 4 spaces.',
        '',
        '**Why:** the generator in /home/bo/tools/generate.sh writes four, and diffs stay small.',
        '',
        '**How to apply:** in every file of web/ and src/; see [[keep-commits-small]].',
        '',
      ].join('\n'),
    );
    await row('Indent with four spaces').waitFor();
    await page().mouse.move(900, 500);
    await menuOf('Indent with four spaces', 'Move to Team…');
    for (const text of [
      'Left out: which chat it came from',
      'Feedback is mostly one person’s',
      'Line 11 names a folder of yours: /home/bo',
      'Line 13 links to “keep-commits-small”',
      'The team says otherwise in “Indentation”',
    ])
      await workbench.quickPickRow(text).waitFor();
    await page().mouse.move(1100, 700);
    await page().waitForTimeout(500);
    await workbench.screenshot('team-notes');
    await workbench.quickPickRow('Line 11 names').click();
    await workbench.quickInput().waitFor();
    await page().keyboard.press('Escape');
    await workbench.quickInput().waitFor({ state: 'hidden' });
    assert.equal(existsSync(inTeam('indent.md')), false);
    await gone(page().locator('.monaco-diff-editor'));
  });

  it('makes a memory private again after saying what that means for others', async () => {
    const { workbench } = session();
    await menuOf('retry-budget', 'Make Private…');
    await dialog().waitFor();
    await workbench.screenshot('team-private');
    await dialog().locator('.monaco-button', { hasText: 'Make Private' }).click();
    await workbench.toast('“retry-budget” is yours alone again.').waitFor();
    assert.ok(existsSync(own('retry-budget.md')));
    assert.equal(existsSync(inTeam('retry-budget.md')), false);
    await toastButton('“retry-budget” is yours alone again.', 'Undo');
    await badge('retry-budget').waitFor({ state: 'attached' });
    await clear();
  });
});
