/** Tests of training: hit boxes, frame data, kinds of ticks, and held inputs. */

import { describe, expect, test } from 'bun:test';
import {
  DOWN,
  HEAVY,
  LEFT,
  LIGHT,
  RIGHT,
  UP,
} from '../../../../../../src/games/fight-arena/controls.ts';
import {
  change,
  poise,
  startFight,
  ticksUntilFree,
} from '../../../../../../src/games/fight-arena/fight.test-kit.ts';
import { MOVE_NAMES, MOVES } from '../../../../../../src/games/fight-arena/moves.ts';
import { step } from '../../../../../../src/games/fight-arena/step.ts';
import { en } from '../../../i18n/en.ts';
import { makeTranslate } from '../../../i18n/translate.ts';
import { boxesOf } from '../scene/boxes.ts';
import { advantagesOf, figuresOf, notesOf, tickKindOf } from './frame-data.ts';
import { arrowOf, makeInputLog, ROWS_MAX } from './input-log.ts';

const t = makeTranslate('en', en);

describe('hit boxes', () => {
  test('[WEB] are those of the rules: an attack hits exactly where they meet', () => {
    for (const name of MOVE_NAMES.filter((each) => each !== 'bolt' && each !== 'throw')) {
      for (let distance = 500; distance <= 1_900; distance += 50) {
        const before = poise(name, { distance, age: MOVES[name].startup + 1 });
        const after = step(before, [0, 0]);
        const isHit = after.fighters[1].health < 1_000;
        // As the next tick sees them: the attack has moved no further, but is a tick older.
        const [attacker] = before.fighters;
        const posed = change(before, { age: attacker.age, y: after.fighters[0].y });
        const boxes = boxesOf(posed);
        const attack = boxes.find(({ kind }) => kind === 'hit')!.box;
        const body = boxes.at(-1)!.box;
        const meets =
          attack.right >= body.left &&
          attack.left <= body.right &&
          attack.high >= body.low &&
          attack.low <= body.high;
        expect([name, distance, isHit]).toEqual([name, distance, meets]);
      }
    }
  });

  test('[WEB] distinguish an invulnerable body, and a bolt', () => {
    const lying = change(startFight(), { act: 'down' }, { boltX: 3_000, boltFacing: -1 });
    expect(boxesOf(lying).map(({ kind }) => kind)).toEqual(['safe', 'body', 'hit']);
    expect(boxesOf(lying).at(-1)!.box).toEqual({
      left: 2_820,
      right: 3_180,
      low: 900,
      high: 1_300,
    });
  });
});

describe('frame data', () => {
  test('[WEB] the advantage on a hit is how much sooner the attacker can act', () => {
    for (const name of ['light', 'heavy', 'lowLight'] as const) {
      const hit = step(poise(name), [0, 0]);
      const free = [0, 1].map((seat) => ticksUntilFree(hit, seat as 0 | 1, [0, 0]));
      expect([name, Number(advantagesOf(name).onHit!.replace('−', '-').replace('±', ''))]).toEqual([
        name,
        free[1]! - free[0]!,
      ]);
    }
  });

  test('[WEB] is described in words', () => {
    expect(figuresOf('light', t)).toBe('Startup 5 · active 3 · recovery 7 · damage 45');
    expect(notesOf('light', t)).toBe('block it standing or crouching · on hit +2 · on block ±0');
    expect(notesOf('throw', t)).toBe('cannot be blocked · knocks down');
    expect(notesOf('sweep', t)).toBe('block it crouching · knocks down · on block −10');
  });

  test('[WEB] each tick of a fighter has its kind', () => {
    const kinds = [1, 5, 8, 14].map((age) =>
      tickKindOf(change(startFight(), { act: 'attack', move: 'light', age }).fighters[0]),
    );
    expect(kinds).toEqual(['startup', 'active', 'recovery', 'recovery']);
    for (const [act, kind] of [
      ['free', 'free'],
      ['hit', 'stun'],
      ['block', 'stun'],
      ['down', 'stun'],
      ['dash', 'moving'],
      ['air', 'moving'],
    ] as const) {
      expect(tickKindOf(change(startFight(), { act }).fighters[0])).toBe(kind);
    }
  });
});

describe('the inputs', () => {
  test('[WEB] are listed newest first, each with its ticks, up to a limit', () => {
    const log = makeInputLog();
    let state = startFight();
    for (const [mask, ticks] of [
      [RIGHT, 3],
      [RIGHT | DOWN, 2],
      [HEAVY, 4],
    ] as const) {
      for (let n = 0; n < ticks; n += 1) {
        state = step(state, [mask, 0]);
        log.take(state);
      }
    }
    expect(log.rows[0]).toEqual([
      { mask: HEAVY, ticks: 4 },
      { mask: RIGHT | DOWN, ticks: 2 },
      { mask: RIGHT, ticks: 3 },
    ]);
    for (let n = 0; n < 40; n += 1) {
      state = step(state, [n % 2 === 0 ? LIGHT : LEFT, 0]);
      log.take(state);
    }
    expect(log.rows[0]).toHaveLength(ROWS_MAX);
  });

  test('[WEB] are cleared when a replay jumps back', () => {
    const log = makeInputLog();
    const before = startFight();
    log.take(step(step(before, [LEFT, 0]), [LEFT, 0]));
    log.take(step(before, [RIGHT, 0]));
    expect(log.rows[0]).toEqual([{ mask: RIGHT, ticks: 1 }]);
  });

  test('[WEB] show the stick as an arrow, and opposite directions as none', () => {
    expect([LEFT | UP, UP, RIGHT | UP, LEFT, 0, RIGHT].map(arrowOf).join('')).toBe('↖↑↗←·→');
    expect([LEFT | DOWN, DOWN, RIGHT | DOWN, LEFT | RIGHT, UP | DOWN].map(arrowOf).join('')).toBe(
      '↙↓↘··',
    );
  });
});
