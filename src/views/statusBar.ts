// The one item in the status bar: shows the state it is told, for five seconds what was saved or came from the team, and *learning* only when
// a run takes longer than a blink. It decides nothing.

import { type Disposable, StatusBarAlignment, ThemeColor, window } from 'vscode';
import { toMarkdown } from './markdown';
import { renderStatus, type Status, type StatusFacts, statusCommands } from './status';
import type { Words } from './words';

export interface StatusBar extends Disposable {
  /** What lasts: idle, paused, off. */
  rest(status: Status): void;
  facts(facts: StatusFacts): void;
  learning(isLearning: boolean): void;
  /** The dream that runs, or what it left for a person. */
  dream(status: (Status & { readonly kind: 'dreaming' | 'review' }) | undefined): void;
  /** What a run came to. A failure stays until `seen`. */
  flash(status: Status & { readonly kind: 'saved' | 'teamNews' | 'failed' | 'dreamFailed' }): void;
  seen(): void;
  setVisible(isVisible: boolean): void;
  current(): Status;
}

const flashMs = 5_000;
const blinkMs = 2_000;

export function createStatusBar(words: Words): StatusBar {
  const item = window.createStatusBarItem('reverie.status', StatusBarAlignment.Left, -100);
  item.name = words.t('Memory');
  let lasting: Status = { kind: 'idle' };
  let facts: StatusFacts = { memories: undefined, suggestions: 0, engine: undefined, dream: undefined };
  let passing: Status | undefined;
  let isLearning = false;
  let dream: (Status & { readonly kind: 'dreaming' | 'review' }) | undefined;
  let passingTimer: NodeJS.Timeout | undefined;
  let learningTimer: NodeJS.Timeout | undefined;

  const current = (): Status => {
    if (lasting.kind === 'untrusted' || lasting.kind === 'disabled') return lasting;
    if (passing) return passing;
    if (dream?.kind === 'dreaming') return dream;
    if (isLearning) return { kind: 'learning' };
    // A review can wait; that memory rests is said first.
    return lasting.kind === 'idle' && dream ? dream : lasting;
  };

  let drawn = '';
  function draw(): void {
    const rendering = renderStatus(current(), facts, words);
    // A screen reader says every change: no change, no word.
    const print = JSON.stringify(rendering);
    if (print === drawn) return;
    drawn = print;
    item.text = rendering.text;
    item.tooltip = toMarkdown(rendering.hover, statusCommands);
    item.command = rendering.command;
    item.accessibilityInformation = { label: rendering.spoken, role: 'button' };
    item.backgroundColor = rendering.isWarning ? new ThemeColor('statusBarItem.warningBackground') : undefined;
  }
  draw();

  function pass(status: Status | undefined): void {
    clearTimeout(passingTimer);
    passing = status;
    draw();
  }

  return {
    rest(status) {
      lasting = status;
      draw();
    },
    facts(next) {
      facts = next;
      draw();
    },
    learning(isNow) {
      if (!isNow) {
        clearTimeout(learningTimer);
        learningTimer = undefined;
        isLearning = false;
        draw();
      } else if (!isLearning && learningTimer === undefined) {
        learningTimer = setTimeout(() => {
          learningTimer = undefined;
          isLearning = true;
          draw();
        }, blinkMs);
      }
    },
    dream(next) {
      dream = next;
      draw();
    },
    flash(status) {
      pass(status);
      if (status.kind === 'saved' || status.kind === 'teamNews')
        passingTimer = setTimeout(() => pass(undefined), flashMs);
    },
    seen: () => pass(undefined),
    setVisible: (isVisible) => (isVisible ? item.show() : item.hide()),
    current,
    dispose() {
      clearTimeout(passingTimer);
      clearTimeout(learningTimer);
      item.dispose();
    },
  };
}
