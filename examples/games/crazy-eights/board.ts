/** Crazy eights on screen: the stock, the card to match, and the player's hand. */

import type { BoardHost, BoardState, BoardText, BoardView } from '@matchd/game/board';
import type { EightsAction, EightsState } from './rules.ts';

type View = Omit<EightsState, 'hands' | 'stock'> & {
  /** The player's own hand; null for others'. */
  readonly hands: readonly (readonly number[] | null)[];
  readonly counts: readonly number[];
  readonly stock: number;
};
type State = BoardState<View, EightsAction>;

const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'];
const SUITS = ['clubs', 'diamonds', 'hearts', 'spades'];
/** With the sign that keeps phones from drawing them as coloured pictures. */
const GLYPHS = ['♣\uFE0E', '♦\uFE0E', '♥\uFE0E', '♠\uFE0E'];

const STYLE = `
.ce { display: flex; flex-direction: column; justify-content: safe center; gap: 14px; overflow: hidden auto; }
.ce-table, .ce-hand, .ce-choice { display: flex; flex-wrap: wrap; justify-content: center; gap: 8px; padding: 4px; }
.ce-table { gap: 20px; align-items: center; }
.ce-card {
  display: grid; align-content: center; justify-items: center; width: clamp(48px, 10cqmin, 76px); aspect-ratio: 5 / 7; padding: 0;
  border: 1px solid #8a8478; border-radius: 8px; background: #fffdf6; color: #1d2427; font: inherit;
  font-weight: 600; font-size: clamp(17px, 3.6cqmin, 27px); line-height: 1.1;
}
.ce-table .ce-card { width: clamp(72px, 17cqmin, 120px); font-size: clamp(26px, 6cqmin, 44px); }
.ce-card.is-red { color: #b3141e; }
.ce-card.is-back { background: repeating-linear-gradient(45deg, #26536b 0 6px, #33687f 6px 12px); color: #fff; }
.ce-card.is-back span { padding: 0 8px; border-radius: 6px; background: #17323f; }
.ce-card[aria-disabled=true] { filter: brightness(0.86); }
.ce-card[aria-disabled=false] { cursor: pointer; box-shadow: 0 0 0 3px var(--mp-primary); }
.ce-card[aria-pressed=true] { transform: translateY(-6px); }
.ce-suit { margin: 0; font-weight: 600; }
.ce-points { max-width: 30ch; margin: 4px 0 0; font-size: 14px; }
.ce-choice { min-height: 52px; }
.ce-choice button {
  min-width: 44px; min-height: 44px; padding: 6px 14px; border: 2px solid var(--mp-primary); border-radius: var(--mp-radius);
  background: var(--mp-surface); color: var(--mp-text); font: inherit; cursor: pointer;
}
.ce :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
@media (prefers-reduced-motion: no-preference) { .ce-card { transition: transform 0.12s; } }
`;

export const fillsRoom = true;

export function makeBoard(host: BoardHost): BoardView<View, EightsAction> {
  host.style(STYLE);
  const { t } = host;
  const table = make('div', 'ce-table');
  const choice = make('div', 'ce-choice');
  const hand = make('div', 'ce-hand');
  for (const [part, name] of [
    [choice, 'choice'],
    [hand, 'hand'],
  ] as const) {
    part.setAttribute('role', 'group');
    part.setAttribute('aria-label', t(name));
  }
  let state: State | null = null;
  /** The card whose ways of being played are offered. */
  let chosen: number | null = null;

  function press(card: number): void {
    const ways = waysOf(state, card);
    if (ways.length === 1) host.play(ways[0]);
    else if (ways.length > 1) {
      chosen = chosen === card ? null : card;
      show();
      choice.querySelector('button')?.focus();
    }
  }

  function show(): void {
    if (state === null || state.view === null) return;
    const kept = focusedKey(element);
    showTable(table, state, host);
    hand.replaceChildren(...makeHand(state, chosen, press, t));
    choice.replaceChildren(...makeChoice(state, chosen, host));
    choice.hidden = state.seat === null || state.result !== null;
    // What was pressed keeps the keyboard, if it is still there.
    const again = kept === null ? null : element.querySelector(`[data-key="${kept}"]`);
    if (again instanceof HTMLElement && again !== document.activeElement) again.focus();
  }

  const element = make('div', 'ce', table, choice, hand);
  return {
    element,
    render(next) {
      const before = state;
      state = next;
      const isMoved = before !== null && before.lastMove?.v !== next.lastMove?.v;
      if (isMoved) host.sound('place');
      if (waysOf(next, chosen).length === 0) chosen = null;
      show();
      const isNewRound = isMoved && before.view?.round !== next.view?.round;
      if (isNewRound && next.result === null) host.say(t('newRound', { number: next.view.round }));
    },
  };
}

/** The ways in which a card can be played now. */
function waysOf(state: State | null, card: number | null): readonly EightsAction[] {
  if (state === null || !state.canMove) return [];
  return (state.legal ?? []).filter(({ play }) => play?.[0] === card);
}

function showTable(table: HTMLElement, state: State, { t, play, nameOf }: BoardHost): void {
  const { view, legal, canMove } = state;
  const stock = make('button', 'ce-card is-back', make('span', '', `${view.stock}`));
  const mayDraw = canMove && legal?.some(({ draw }) => draw) === true;
  stock.dataset['key'] = 'stock';
  stock.setAttribute('aria-label', t('stock', { count: view.stock }));
  stock.setAttribute('aria-disabled', String(!mayDraw));
  stock.addEventListener('click', () => {
    if (mayDraw) play({ draw: true });
  });
  const top = view.discards.at(-1);
  const shown = top === undefined ? [] : [makeCard('div', top, t)];
  for (const card of shown) card.setAttribute('role', 'img');
  const suit = SUITS.indexOf(view.suit);
  const round = t('round', { number: view.round, count: view.rounds });
  const words = make('p', 'ce-suit', `${t('match')} ${GLYPHS[suit]} ${t(view.suit)}`);
  const points = view.scores.map((score, seat) => `${nameOf(seat)} ${score}`).join(', ');
  const told = make('p', 'ce-points', t('points', { points }));
  table.replaceChildren(stock, ...shown, make('div', '', make('p', 'ce-suit', round), words, told));
}

function makeHand(
  state: State,
  chosen: number | null,
  press: (card: number) => void,
  t: BoardText,
): readonly HTMLElement[] {
  const cards = state.seat === null ? [] : (state.view.hands[state.seat] ?? []);
  return cards.map((card) => {
    const element = makeCard('button', card, t);
    const ways = waysOf(state, card);
    element.dataset['key'] = `card-${card}`;
    element.setAttribute('aria-disabled', String(ways.length === 0));
    if (ways.length > 1) element.setAttribute('aria-pressed', String(card === chosen));
    element.addEventListener('click', () => press(card));
    return element;
  });
}

/** A button for each way to play the chosen card; without one, for passing. */
function makeChoice(
  state: State,
  chosen: number | null,
  { t, play }: BoardHost,
): readonly HTMLElement[] {
  const passes = state.canMove ? (state.legal ?? []).filter(({ pass }) => pass) : [];
  const ways = chosen === null ? passes : waysOf(state, chosen);
  return ways.map((action) => {
    const button = make('button', '', wordsOf(action, t));
    button.dataset['key'] = `way-${wordsOf(action, t)}`;
    button.addEventListener('click', () => play(action));
    return button;
  });
}

function focusedKey(element: HTMLElement): string | null {
  const focused = document.activeElement;
  const isWithin = focused instanceof HTMLElement && element.contains(focused);
  return isWithin ? (focused.dataset['key'] ?? null) : null;
}

const suitOf = (card: number): number => Math.floor(card / RANKS.length);
const shortName = (card: number): string => `${RANKS[card % RANKS.length]}${GLYPHS[suitOf(card)]}`;

function wordsOf({ play = [], suit, draw }: EightsAction, t: BoardText): string {
  if (draw) return t('draw');
  if (play.length === 0) return t('pass');
  const cards = play.map(shortName).join(' ');
  if (suit === undefined) return cards;
  return t('asSuit', { cards, suit: `${GLYPHS[SUITS.indexOf(suit)]} ${t(suit)}` });
}

function makeCard<Name extends 'button' | 'div'>(
  name: Name,
  card: number,
  t: BoardText,
): HTMLElementTagNameMap[Name] {
  const suit = suitOf(card);
  const rank = RANKS[card % RANKS.length]!;
  const isRed = suit === 1 || suit === 2;
  const parts = [make('span', '', rank), make('span', '', GLYPHS[suit]!)];
  const element = make(name, isRed ? 'ce-card is-red' : 'ce-card', ...parts);
  element.setAttribute('aria-label', t('card', { rank, suit: t(SUITS[suit]!) }));
  return element;
}

export function describeMove(
  action: EightsAction | null,
  _: number,
  name: string,
  t: BoardText,
): string | null {
  return action && t('move', { name, what: wordsOf(action, t) });
}

/** What a player has, on the plate. */
export function note(view: View, seat: number, t: BoardText): string {
  return t('held', { cards: view.counts[seat]! });
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  style: string,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = style;
  element.append(...children);
  return element;
}
