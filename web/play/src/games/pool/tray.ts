/** The balls that each player still has on the table; pocketed ones leave an empty place. */

import type { Translate } from '../../i18n/translate.ts';
import type { Seat } from '../../protocol.ts';
import { h, setAttributes } from '../../ui/dom.ts';
import type { PoolView } from './view.ts';
import { makeChip } from './words.ts';

export interface Tray {
  readonly element: HTMLElement;
  show(view: PoolView, turn: Seat | null): void;
}

const SOLIDS = [1, 2, 3, 4, 5, 6, 7] as const;
const STRIPES = SOLIDS.map((n) => n + 8);
const NINE = [...SOLIDS, 8, 9];

export function makeTray(t: Translate, nameOf: (seat: Seat) => string): Tray {
  const racks = [0, 1].map((seat) => {
    const name = h('span', { class: 'po-rack-name' });
    const balls = h('span', { class: 'po-rack-balls' });
    return { seat, name, balls, element: h('div', { class: 'po-rack', role: 'img' }, name, balls) };
  });
  let shown = '';
  return {
    element: h('div', { class: 'po-tray' }, ...racks.map(({ element }) => element)),
    show(view, turn) {
      const left = new Set(view.balls.map(({ n }) => n));
      const names = racks.map(({ seat }) => nameOf(seat));
      const wanted = JSON.stringify([view.variant, view.groups, [...left], names, turn]);
      if (wanted === shown) return;
      shown = wanted;
      for (const { seat, name, balls, element } of racks) {
        const isNine = view.variant === 'nineball';
        element.hidden = isNine && seat > 0;
        element.classList.toggle('is-turn', !isNine && turn === seat);
        name.textContent = isNine ? '' : names[seat]!;
        balls.replaceChildren(...rackOf(view, seat).map((n) => placeFor(n, left)));
        setAttributes(element, { 'aria-label': describe(view, seat, names[seat]!, left, t) });
      }
    },
  };
}

/** The numbers of a rack; null is a place with an unknown ball. */
function rackOf({ variant, groups }: PoolView, seat: Seat): readonly (number | null)[] {
  if (variant === 'nineball') return NINE;
  const own = groups === null ? SOLIDS.map(() => null) : groupBalls(groups[seat]);
  return [...own, 8];
}

const groupBalls = (group: unknown) => (group === 'stripes' ? STRIPES : SOLIDS);

function placeFor(n: number | null, left: ReadonlySet<number>): Element {
  return n !== null && left.has(n) ? makeChip(n) : h('span', { class: 'po-rack-empty' });
}

function describe(
  { variant, groups }: PoolView,
  seat: Seat,
  name: string,
  left: ReadonlySet<number>,
  t: Translate,
): string {
  const listed = (balls: readonly number[]): string => balls.filter((n) => left.has(n)).join(', ');
  if (variant === 'nineball') return t('pool.trayAll', { balls: listed(NINE) });
  if (groups === null) return t('pool.trayOpen', { name });
  const group = t(groups[seat] === 'stripes' ? 'pool.stripes' : 'pool.solids');
  const balls = listed(groupBalls(groups[seat]));
  return balls === ''
    ? t('pool.trayEight', { name, group })
    : t('pool.tray', { name, group, balls });
}
