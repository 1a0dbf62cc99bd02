/** The overlay of the stage: health, rounds won, time, combos, messages, and the connection. */

import { HEALTH_MAX, TICKS_PER_SECOND } from '../../../../../src/games/fight-arena/stage.ts';
import type { FightState } from '../../../../../src/games/fight-arena/state.ts';
import { countWins } from '../../../../../src/games/fight-arena/state.ts';
import type { Translate } from '../../i18n/translate.ts';
import { h, setText } from '../../ui/dom.ts';
import type { Banner } from './banner.ts';
import type { Combo } from './combos.ts';
import { makeComboCounter } from './combos.ts';

/** The state of the connection, as shown in a corner. */
export interface LineFigures {
  /** Round-trip time, ms; null before the first ping. */
  readonly roundTripMs: number | null;
  /** How often a prediction was wrong, and by how many ticks at most. */
  readonly rollbacks: number;
  readonly deepest: number;
  /** How many own inputs arrived too late to count as they were sent. */
  readonly refused: number;
  /** How often the whole state was requested again, and how often because of a mismatch. */
  readonly resyncs: number;
  readonly desyncs: number;
}

export interface Hud {
  readonly element: HTMLElement;
  /** The area above the lower edge, for further elements. */
  readonly low: HTMLElement;
  /** A full description in words, for screen readers. */
  readonly words: HTMLElement;
  show(state: FightState, names: readonly string[]): void;
  call(banner: Banner | null): void;
  /** Null without a connection. */
  setFigures(line: LineFigures | null): void;
  /** Whether to show the connection figures. */
  showLine(isShown: boolean): void;
  /** The lower edge of the bars, in CSS pixels below the stage's upper edge. */
  barsBottom(): number;
}

interface Side {
  readonly element: HTMLElement;
  readonly fill: HTMLElement;
  readonly lag: HTMLElement;
  readonly lights: HTMLElement;
  readonly combo: HTMLElement;
  readonly hits: HTMLElement;
  readonly damage: HTMLElement;
  health: number;
  wins: string;
  described: string;
}

/** Below these the time and a health bar show a warning, in seconds and in parts of the health. */
const HURRY_S = 10;
const LOW_PART = 0.25;
/** The text is updated at this interval, in ticks, and after every hit. */
const WORDS_TICKS = 30;

export function makeHud(t: Translate): Hud {
  const sides = [makeSide('left'), makeSide('right')] as const;
  const time = h('span', { class: 'fa-time' });
  const text = h('strong', { class: 'fa-call-text' });
  const detail = h('span', { class: 'fa-call-detail' });
  const call = h('div', { class: 'fa-call', hidden: true }, text, detail);
  const line = h('p', { class: 'fa-line', hidden: true });
  const low = h('div', { class: 'fa-low' }, line);
  const counter = makeComboCounter();
  const words = h('p', { class: 'only-heard' });
  const bars = h('div', { class: 'fa-bars' }, sides[0].element, time, sides[1].element);
  const element = h('div', { class: 'fa-hud', 'aria-hidden': 'true' }, bars, call, low);
  let worded = '';
  let called: string | null = null;
  let figures = '';
  return {
    element,
    low,
    words,
    barsBottom: () =>
      Math.max(...sides.map(({ element: side }) => side.offsetTop + side.offsetHeight)),
    showLine(isShown) {
      if (line.hidden === isShown) line.hidden = !isShown;
    },
    show(state, names) {
      const wins = countWins(state);
      const combos = counter.take(state);
      for (const seat of [0, 1] as const) {
        showSide(sides[seat], state, seat, wins[seat]);
        showCombo(sides[seat], combos[seat], t);
      }
      const seconds = secondsLeft(state);
      setText(time, String(seconds));
      time.classList.toggle('is-hurry', state.phase === 'fight' && seconds <= HURRY_S);
      const [a, b] = state.fighters;
      const described = `${state.phase} ${a.health} ${b.health} ${Math.floor(state.tick / WORDS_TICKS)}`;
      if (described === worded) return;
      worded = described;
      setText(words, wordsOf(state, names, t));
    },
    call(banner) {
      const id = banner === null ? null : `${banner.id} ${banner.text}`;
      if (id === called) return;
      called = id;
      call.hidden = banner === null;
      if (banner === null) return;
      setText(text, banner.text);
      setText(detail, banner.detail ?? '');
      detail.hidden = banner.detail === null;
      call.dataset['tone'] = banner.tone;
      // A new animation name restarts it.
      call.classList.toggle('is-next');
    },
    setFigures(next) {
      const shown = next === null ? '' : lineText(next, t);
      if (shown === figures) return;
      figures = shown;
      setText(line, shown);
      const quality = next === null ? '' : qualityOf(next);
      const { resyncs = 0, desyncs = 0 } = next ?? {};
      Object.assign(line.dataset, { quality, resyncs, desyncs });
    },
  };
}

function makeSide(side: 'left' | 'right'): Side {
  const fill = h('span', { class: 'fa-fill' });
  const lag = h('span', { class: 'fa-lag' });
  const lights = h('span', { class: 'fa-lights' });
  const hits = h('b', {});
  const damage = h('span', {});
  const combo = h('p', { class: 'fa-combo', hidden: true }, hits, damage);
  const element = h(
    'div',
    { class: `fa-side is-${side}` },
    h('div', { class: 'fa-bar' }, lag, fill),
    h('div', { class: 'fa-under' }, lights),
    combo,
  );
  return { element, fill, lag, lights, combo, hits, damage, health: -1, wins: '', described: '' };
}

function showSide(side: Side, state: FightState, seat: 0 | 1, wins: number): void {
  const { health } = state.fighters[seat];
  if (health !== side.health) {
    side.health = health;
    const part = health / HEALTH_MAX;
    side.fill.style.transform = `scaleX(${part.toFixed(3)})`;
    side.lag.style.transform = `scaleX(${part.toFixed(3)})`;
    side.element.classList.toggle('is-low', part <= LOW_PART);
  }
  const lit = `${wins}/${state.roundsToWin}`;
  if (lit !== side.wins) {
    side.wins = lit;
    side.lights.replaceChildren(
      ...Array.from({ length: state.roundsToWin }, (_, n) =>
        h('i', { class: n < wins ? 'is-won' : '' }),
      ),
    );
  }
}

/** A combo is shown on its attacker's side. */
function showCombo(side: Side, combo: Combo | null, t: Translate): void {
  const described = combo === null ? '' : `${combo.hits} ${combo.damage}`;
  if (described === side.described) return;
  side.described = described;
  side.combo.hidden = combo === null;
  if (combo === null) return;
  setText(side.hits, t('fight.hits', { count: combo.hits }));
  setText(side.damage, t('fight.damage', { damage: combo.damage }));
  // A new animation name restarts it with each hit.
  side.combo.classList.toggle('is-next');
}

export function secondsLeft({ phase, left, roundTicks, rounds }: FightState): number {
  if (phase === 'fight') return Math.ceil(left / TICKS_PER_SECOND);
  if (phase === 'ready') return Math.ceil(roundTicks / TICKS_PER_SECOND);
  const played = rounds.at(-1)?.ticks ?? 0;
  return Math.ceil((roundTicks - played) / TICKS_PER_SECOND);
}

export function wordsOf(state: FightState, names: readonly string[], t: Translate): string {
  const wins = countWins(state);
  const fighters = state.fighters.map(({ health }, seat) =>
    t('fight.stateOf', {
      name: names[seat] ?? '',
      health: Math.ceil((health * 100) / HEALTH_MAX),
      wins: wins[seat]!,
    }),
  );
  const number = Math.min(
    state.rounds.length + 1,
    state.rounds.length + (state.phase === 'over' ? 0 : 1),
  );
  const seconds = secondsLeft(state);
  return [t('fight.stateRound', { number, seconds }), ...fighters].join(' ');
}

function lineText(
  { roundTripMs, rollbacks, deepest, refused, resyncs }: LineFigures,
  t: Translate,
): string {
  const parts = [roundTripMs === null ? '–' : t('fight.ms', { ms: Math.round(roundTripMs) })];
  if (rollbacks > 0) parts.push(t('fight.corrections', { count: rollbacks, most: deepest }));
  if (refused > 0) parts.push(t('fight.late', { count: refused }));
  if (resyncs > 0) parts.push(t('fight.resyncs', { count: resyncs }));
  return parts.join(' · ');
}

/** The quality of the connection at a glance. */
export function qualityOf({ roundTripMs }: LineFigures): 'good' | 'fair' | 'poor' {
  if (roundTripMs === null || roundTripMs < 80) return 'good';
  return roundTripMs < 160 ? 'fair' : 'poor';
}
