/** Rock, paper, scissors on screen: what each player threw in the last round, and three signs to throw now. */

import type { BoardHost, BoardState, BoardText, BoardView } from '@matchd/game/board';
import type { RpsAction, RpsState } from './rules.ts';

type Sign = RpsAction['throw'];
type View = Omit<RpsState, 'dice'> & { readonly hasThrown: readonly boolean[] };
type State = BoardState<View, RpsAction>;

const SIGNS: readonly Sign[] = ['rock', 'paper', 'scissors'];
/** Outlines of the signs in a square of 100. */
const SHAPES: Readonly<Record<Sign, string>> = {
  rock: 'M20 68 28 36 52 20 78 34 84 62 66 82 34 82ZM28 36 50 46 78 34M50 46 46 82',
  paper: 'M26 12H62L78 28V88H26ZM62 12V28H78M38 44H66M38 58H66M38 72H56',
  scissors:
    'M30 12 62 66M70 12 38 66M42 76a12 12 0 1 1-24 0a12 12 0 1 1 24 0M82 76a12 12 0 1 1-24 0a12 12 0 1 1 24 0',
};
const SVG = 'http://www.w3.org/2000/svg';

const STYLE = `
.rps { display: grid; grid-template-rows: auto minmax(0, 1fr) auto; gap: 12px; }
.rps-round { margin: 0; text-align: center; font-weight: 600; }
.rps-players {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(clamp(100px, 17cqw, 160px), 1fr)); align-content: safe center; gap: 8px;
  margin: 0; padding: 4px; overflow: hidden auto; list-style: none; border-radius: var(--mp-radius);
}
.rps-players:focus-visible, .rps-sign:focus-visible { outline: 3px solid var(--focus); outline-offset: -3px; }
.rps-player {
  display: grid; justify-items: center; align-content: center; gap: 2px; min-height: 92px; padding: 8px; border-radius: var(--mp-radius);
  background: var(--mp-surface); border: 2px solid transparent; font-size: 14px; text-align: center;
}
.rps-player.is-own { border-color: var(--mp-primary); }
.rps-player.is-out { border-style: dashed; border-color: currentcolor; background: none; }
.rps-name { max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 600; }
.rps-icon { width: clamp(36px, 8cqmin, 60px); height: clamp(36px, 8cqmin, 60px); fill: none; stroke: currentcolor; stroke-width: 6; stroke-linejoin: round; stroke-linecap: round; }
.rps-signs { display: grid; grid-template-columns: repeat(3, minmax(0, 150px)); justify-content: center; gap: 10px; }
.rps-sign {
  display: grid; justify-items: center; gap: 2px; padding: 10px 4px; border: 2px solid currentcolor; border-radius: var(--mp-radius);
  background: var(--mp-surface); color: var(--mp-text); font: inherit; cursor: pointer;
}
.rps-sign[aria-disabled=true] { border-style: dashed; cursor: default; }
.rps-sign[aria-pressed=true] { border-style: solid; box-shadow: inset 0 0 0 3px var(--mp-primary); }
.rps-sign .rps-icon { width: min(56px, 14cqw); height: min(56px, 14cqw); }
@media (hover: hover) { .rps-sign[aria-disabled=false]:hover { box-shadow: inset 0 0 0 2px currentcolor; } }
`;

export const fillsRoom = true;

export function makeBoard(host: BoardHost): BoardView<View, RpsAction> {
  const { t } = host;
  host.style(STYLE);
  const round = make('p', 'rps-round');
  const list = make('ul', 'rps-players');
  // It may scroll, so the keyboard has to reach it.
  list.tabIndex = 0;
  list.setAttribute('aria-label', t('players'));
  let state: State | null = null;
  const buttons = SIGNS.map((sign) => {
    const button = make('button', 'rps-sign', icon(sign), t(sign));
    button.addEventListener('click', () => {
      if (state?.canMove) host.play({ throw: sign });
    });
    return button;
  });
  const signs = make('div', 'rps-signs', ...buttons);
  signs.setAttribute('role', 'group');
  signs.setAttribute('aria-label', t('signs'));
  return {
    element: make('div', 'rps', round, list, signs),
    render(next) {
      const before = state?.view?.round ?? null;
      state = next;
      // A match that ended before it began has nothing to show.
      if (next.view === null) return;
      const told = roundText(next, t);
      round.textContent = told;
      const players = Array.from({ length: next.seats }, (_, seat) => makePlayer(next, seat, host));
      list.replaceChildren(...players);
      signs.hidden = next.seat === null || next.result !== null || isOut(next.view, next.seat);
      for (const [index, button] of buttons.entries()) showButton(button, SIGNS[index]!, next);
      if (before === null || before === next.view.round) return;
      host.sound('place');
      host.say([...players.map(({ textContent }) => textContent), told].join('. '));
    },
  };
}

const isOut = ({ outAfter }: View, seat: number): boolean => outAfter[seat] !== null;

function roundText({ view, result }: State, t: BoardText): string {
  const left = view.outAfter.filter((after) => after === null).length;
  if (result !== null) return t('rounds', { count: view.round });
  return t('round', { number: view.round + 1, left });
}

function makePlayer(state: State, seat: number, { t, nameOf }: BoardHost): HTMLLIElement {
  const { view } = state;
  const last = view.last?.throws[seat] ?? null;
  const die = view.last?.dice[seat] ?? 0;
  const words = [wordOf(last, t), die > 0 ? t('die', { die }) : '', standing(view, seat, t)];
  const shown = last === null || last === 'none' ? [] : [icon(last)];
  const name = make('span', 'rps-name', nameOf(seat));
  const says = make('span', '', ` ${words.filter((word) => word !== '').join(', ')}`);
  const player = make('li', 'rps-player', ...shown, name, says);
  player.classList.toggle('is-own', seat === state.seat);
  player.classList.toggle('is-out', isOut(view, seat));
  return player;
}

function wordOf(thrown: Sign | 'none' | null, t: BoardText): string {
  return thrown === null ? '' : t(thrown);
}

function standing(view: View, seat: number, t: BoardText): string {
  if (isOut(view, seat)) return t('out');
  return view.hasThrown[seat] ? t('ready') : '';
}

function showButton(
  button: HTMLButtonElement,
  sign: Sign,
  { view, seat, canMove, sending }: State,
): void {
  const own = sending?.throw ?? (seat === null ? null : view.throws[seat]);
  button.setAttribute('aria-disabled', String(!canMove));
  button.setAttribute('aria-pressed', String(own === sign));
}

/** What others threw is known when the round is over; the board tells it then. */
export function describeMove(
  action: RpsAction | null,
  _: number,
  name: string,
  t: BoardText,
): string {
  return action === null ? t('threw', { name }) : t('threwSign', { name, sign: t(action.throw) });
}

function icon(sign: Sign): SVGSVGElement {
  const drawn = document.createElementNS(SVG, 'svg');
  drawn.setAttribute('viewBox', '0 0 100 100');
  drawn.setAttribute('class', 'rps-icon');
  drawn.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', SHAPES[sign]);
  drawn.append(path);
  return drawn;
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
