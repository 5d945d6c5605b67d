// What a person has chosen in a review: which changes, which parts of them, which answers. Values in, values out; nothing
// here knows a page. Leaving the last part of a change out leaves the change out.

import type { Card, CardChoice } from '../../src/views/reviewProtocol';

export interface Chosen {
  readonly isOn: boolean;
  /** Hunks that are left out. */
  readonly off: readonly number[];
  readonly answer?: string;
}

/** By card. */
export type Selection = Readonly<Record<string, Chosen>>;

export const partsOf = ({ sections }: Card): readonly number[] =>
  sections.flatMap(({ hunk }) => (hunk === undefined ? [] : [hunk]));

export function proposedOf(card: Card): Chosen {
  const { isSelected: isOn, question } = card;
  return { isOn, off: [], ...(question === undefined ? {} : { answer: question.proposed }) };
}

export const initialSelection = (cards: readonly Card[]): Selection =>
  Object.fromEntries(cards.map((card) => [card.id, proposedOf(card)]));

/** What was kept from before, as far as it still fits the cards. */
export function restoreSelection(cards: readonly Card[], kept: Selection): Selection {
  return Object.fromEntries(
    cards.map((card) => {
      const before = kept[card.id];
      const fits =
        Array.isArray(before?.off) &&
        before.off.every((hunk) => partsOf(card).includes(hunk)) &&
        (before.answer === undefined
          ? card.question === undefined
          : card.question?.options.some(({ value }) => value === before.answer) === true);
      return [card.id, fits ? before : proposedOf(card)];
    }),
  );
}

export type Check = 'on' | 'off' | 'mixed';

export const checkOf = ({ isOn, off }: Chosen): Check => (!isOn ? 'off' : off.length > 0 ? 'mixed' : 'on');

/** A click on the card's own box: everything of it, or nothing. */
export function toggleCard(card: Card, chosen: Chosen): Chosen {
  if (checkOf(chosen) === 'on')
    return { ...chosen, isOn: false, ...(card.idle === undefined ? {} : { answer: card.idle }) };
  const answer =
    chosen.answer === card.idle ? card.question?.options.find(({ value }) => value !== card.idle)?.value : undefined;
  return { ...chosen, isOn: true, off: [], ...(card.idle !== undefined && answer !== undefined ? { answer } : {}) };
}

export function togglePart(card: Card, chosen: Chosen, hunk: number): Chosen {
  const parts = partsOf(card);
  const off = chosen.isOn ? chosen.off : parts;
  const next = off.includes(hunk) ? off.filter((each) => each !== hunk) : [...off, hunk].sort((a, b) => a - b);
  return next.length === parts.length ? { ...chosen, isOn: false, off: [] } : { ...chosen, isOn: true, off: next };
}

export const isPartOn = ({ isOn, off }: Chosen, hunk: number): boolean => isOn && !off.includes(hunk);

/** Answering takes the change in; the answer that means *leave it* takes it out. */
export const answerCard = (card: Card, chosen: Chosen, answer: string): Chosen => ({
  ...chosen,
  answer,
  isOn: answer !== card.idle,
});

export const countSelected = (cards: readonly Card[], selection: Selection): number =>
  cards.filter(({ id }) => selection[id]?.isOn).length;

/** `all`: everything but what changed meanwhile, unless a person chose what becomes of it. */
export function choicesOf(cards: readonly Card[], selection: Selection, all: boolean): readonly CardChoice[] {
  return cards.flatMap((card) => {
    const chosen = selection[card.id] ?? proposedOf(card);
    const isIn = all ? card.kind !== 'conflict' || chosen.isOn : chosen.isOn;
    if (!isIn) return [];
    const { off, answer } = chosen;
    const taken = all || off.length === 0 ? undefined : partsOf(card).filter((part) => !off.includes(part));
    return [
      {
        id: card.id,
        ...(taken === undefined ? {} : { hunks: taken }),
        ...(answer === undefined ? {} : { answer }),
      },
    ];
  });
}
