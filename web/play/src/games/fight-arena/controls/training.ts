/** The training overlay besides the boxes: frame data with a meter of the last ticks, and the inputs. */

import { BUTTONS } from '../../../../../../src/games/fight-arena/controls.ts';
import type { MoveName } from '../../../../../../src/games/fight-arena/moves.ts';
import { MOVES } from '../../../../../../src/games/fight-arena/moves.ts';
import type { FightState } from '../../../../../../src/games/fight-arena/state.ts';
import type { Translate } from '../../../i18n/translate.ts';
import { h, setText } from '../../../ui/dom.ts';
import type { TickKind } from './frame-data.ts';
import { advantagesOf, makeLastMoves, TICK_KINDS, tickKindOf } from './frame-data.ts';
import type { HeldInput } from './input-log.ts';
import { arrowOf, makeInputLog } from './input-log.ts';
import { PADS, padIcon } from './pads.ts';

export interface Training {
  /** Frame data and the meter, for the area above the stage's lower edge. */
  readonly data: HTMLElement;
  /** The inputs, left and right. */
  readonly inputs: readonly HTMLElement[];
  show(state: FightState, options: { readonly data: boolean; readonly inputs: boolean }): void;
}

/** Ticks that the meter shows: a second. */
const METER_TICKS = 60;
const CELL_WIDTH = 6;
const CELL_HEIGHT = 10;
const GAP = 2;

/** Each differs from its neighbours in brightness, not only in colour. */
const COLOURS: Readonly<Record<TickKind, string>> = {
  free: '#2b3440',
  startup: '#3fc46f',
  active: '#ff5346',
  recovery: '#3f7fe0',
  stun: '#ffd24d',
  moving: '#7a8794',
};

export function makeTraining(t: Translate): Training {
  const lines = [makeFigures(t), makeFigures(t)];
  const meter = makeMeter();
  const legend = h(
    'p',
    { class: 'fa-legend' },
    ...TICK_KINDS.slice(1, 5).map((kind) =>
      h('span', { class: `is-${kind}` }, t(`fight.tick.${kind}` as 'fight.tick.stun')),
    ),
  );
  const data = h(
    'div',
    { class: 'fa-data', hidden: true },
    h('div', { class: 'fa-figures-row' }, ...lines.map(({ element }) => element)),
    meter.element,
    legend,
  );
  const inputs = (['left', 'right'] as const).map((side) =>
    h('ol', { class: `fa-inputs is-${side}`, hidden: true }),
  );
  const log = makeInputLog();
  const lastMoves = makeLastMoves();
  const counts: (HTMLElement | null)[] = [null, null];
  return {
    data,
    inputs,
    show(state, options) {
      setShown(data, options.data);
      for (const each of inputs) setShown(each, options.inputs);
      const moves = lastMoves(state);
      meter.take(state, options.data);
      for (const [seat, move] of moves.entries()) lines[seat]!.show(move);
      const isOther = log.take(state);
      if (!options.inputs) return;
      for (const seat of [0, 1] as const) {
        const count = counts[seat] ?? null;
        if (isOther || count === null) counts[seat] = fill(inputs[seat]!, log.rows[seat]);
        else setText(count, String(log.rows[seat][0]?.ticks ?? ''));
      }
    },
  };
}

/** Only when the direction changes: updating it with every frame would be costly. */
function setShown(element: HTMLElement, isShown: boolean): void {
  if (element.hidden === isShown) element.hidden = !isShown;
}

/** A fighter's last attack: its name, its ticks in the meter's colours, and its frame advantage. */
function makeFigures(t: Translate) {
  const name = h('b', {}, '–');
  const ticks = (['startup', 'active', 'recovery'] as const).map((kind) =>
    h('span', { class: `fa-count is-${kind}` }),
  );
  const after = h('span', { class: 'fa-after' });
  const element = h('p', { class: 'fa-figures' }, name, ' ', ...ticks, after);
  let shown: MoveName | null = null;
  return {
    element,
    show(move: MoveName | null): void {
      if (move === null || move === shown) return;
      shown = move;
      const { startup, active, recovery } = MOVES[move];
      setText(name, t(`fight.name.${move}`));
      for (const [n, count] of [startup, active, recovery].entries()) {
        setText(ticks[n]!, String(count));
      }
      const { onHit, onBlock } = advantagesOf(move);
      const words = [
        onHit === null ? null : t('fight.onHit', { ticks: onHit }),
        onBlock === null ? null : t('fight.onBlock', { ticks: onBlock }),
      ];
      setText(after, words.filter((part) => part !== null).join(' · '));
    },
  };
}

/** A cell for each of the last ticks, a row for each fighter: the newest is on the right. */
function makeMeter() {
  const element = h('canvas', {
    class: 'fa-meter',
    width: METER_TICKS * CELL_WIDTH,
    height: 2 * CELL_HEIGHT + GAP,
  });
  const pen = element.getContext('2d')!;
  const kinds: (readonly [TickKind, TickKind])[] = [];
  let last = -1;
  return {
    element,
    take({ tick, fighters: [a, b] }: FightState, isShown: boolean): void {
      const passed = tick - last;
      if (passed < 0 || passed > METER_TICKS) kinds.length = 0;
      last = tick;
      const kind = [tickKindOf(a), tickKindOf(b)] as const;
      // The same tick again may be corrected.
      if (passed <= 0) kinds.pop();
      for (let n = 0; n < Math.max(1, Math.min(METER_TICKS, passed)); n += 1) kinds.push(kind);
      kinds.splice(0, kinds.length - METER_TICKS);
      if (!isShown || passed === 0) return;
      pen.clearRect(0, 0, element.width, element.height);
      const from = METER_TICKS - kinds.length;
      for (const [n, both] of kinds.entries()) {
        for (const [seat, each] of both.entries()) {
          pen.fillStyle = COLOURS[each];
          const y = seat * (CELL_HEIGHT + GAP);
          pen.fillRect((from + n) * CELL_WIDTH, y, CELL_WIDTH - 1, CELL_HEIGHT);
        }
      }
    },
  };
}

/** Refills the list; returns the element with the newest count. */
function fill(list: HTMLElement, rows: readonly HeldInput[]): HTMLElement | null {
  const items = rows.map(({ mask, ticks }) => {
    const count = h('span', { class: 'fa-input-ticks' }, String(ticks));
    const pads = PADS.filter(({ control }) => (mask & BUTTONS & control) !== 0).map(padIcon);
    return { count, item: h('li', {}, count, h('b', {}, arrowOf(mask)), ...pads) };
  });
  list.replaceChildren(...items.map(({ item }) => item));
  return items[0]?.count ?? null;
}
