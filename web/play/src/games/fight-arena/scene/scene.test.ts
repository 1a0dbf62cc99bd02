/** Tests of the scene: the camera, effects, the frame rate, stalls, and the description in words. */

import { describe, expect, test } from 'bun:test';
import { HEAVY, UP } from '../../../../../../src/games/fight-arena/controls.ts';
import {
  change,
  hold,
  openFight,
  poise,
  startFight,
} from '../../../../../../src/games/fight-arena/fight.test-kit.ts';
import { MOVE_NAMES } from '../../../../../../src/games/fight-arena/moves.ts';
import { STAGE_WIDTH } from '../../../../../../src/games/fight-arena/stage.ts';
import { step } from '../../../../../../src/games/fight-arena/step.ts';
import { en } from '../../../i18n/en.ts';
import { makeTranslate } from '../../../i18n/translate.ts';
import { stallBanner } from '../banner.ts';
import { qualityOf, secondsLeft, wordsOf } from '../hud.ts';
import { makePace } from '../pace.ts';
import { makeStallWatch } from '../stall-watch.ts';
import type { Camera } from './camera.ts';
import { aim, follow, GROUND_PART, keepInSight } from './camera.ts';
import { eventsOf } from './effects.ts';
import { makeRibbon } from './ribbon.ts';

const t = makeTranslate('en', en);

describe('the camera', () => {
  test('[WEB] shows both fighters, wherever they are and whatever the view’s shape', () => {
    for (const shape of [0.8, 1.2, 1.8, 2.6]) {
      for (const a of [300, 2_000, 5_000, 9_100]) {
        for (const b of [900, 5_000, 9_700]) {
          for (const y of [0, 1_000, 2_010]) {
            const {
              x,
              width,
              y: up,
            } = aim(change(startFight(), { x: a, y }, { x: b }) as never, shape);
            const seen = (width / shape) * GROUND_PART + up;
            for (const each of [a, b]) expect(Math.abs(each - x)).toBeLessThan(width / 2 - 200);
            expect(seen).toBeGreaterThan(y + 1_800);
            expect(x - width / 2).toBeGreaterThanOrEqual(-1_500);
            expect(x + width / 2).toBeLessThanOrEqual(STAGE_WIDTH + 1_500);
          }
        }
      }
    }
  });
});

describe('below the bars', () => {
  const COVERED = 0.16;

  test.each([0.8, 1.2, 2.05, 2.6])(
    '[WEB] a whole jump is visible in a view of shape %d',
    (shape) => {
      let state = startFight();
      const camera: Camera = { ...aim(state, shape, COVERED) };
      let highest = 0;
      for (let tick = 0; tick < 70; tick += 1) {
        state = step(state, [tick < 8 ? UP : tick === 20 ? HEAVY : 0, 0]);
        follow(camera, aim(state, shape, COVERED), 1 / 60);
        const top = state.fighters[0].y + 1_880;
        keepInSight(camera, top, shape, COVERED);
        highest = Math.max(highest, state.fighters[0].y);
        const seen = (camera.width / shape) * (GROUND_PART - COVERED) + camera.y;
        expect(seen).toBeGreaterThanOrEqual(top - 0.001);
      }
      expect(highest).toBeGreaterThan(2_000);
    },
  );

  test('[WEB] the ground stays visible during a jump', () => {
    const shape = 2.05;
    const flying = change(startFight(), { y: 2_100, act: 'air' });
    const { width, y } = aim(flying, shape, COVERED);
    expect(y / (width / shape)).toBeLessThan(1 - GROUND_PART);
  });
});

describe('effects', () => {
  test('[WEB] every hit has its spark and its sound', () => {
    for (const name of MOVE_NAMES.filter((each) => each !== 'bolt')) {
      const before = poise(name);
      const events = eventsOf(before, step(before, [0, 0]));
      const kinds = events.effects.map(({ kind }) => kind);
      expect(kinds.some((kind) => kind === 'hit' || kind === 'heavy')).toBe(true);
      expect(events.cues.length).toBeGreaterThan(0);
      expect(events.shake).toBeGreaterThan(0);
    }
  });

  test('[WEB] a block has another spark', () => {
    const away = 2;
    const before = change(poise('heavy'), {}, { held: away });
    const after = step(before, [0, away]);
    expect(after.fighters[1].act).toBe('block');
    const events = eventsOf(before, after);
    expect(events.effects.map(({ kind }) => kind)).toEqual(['block']);
    expect(events.cues.map(({ cue }) => cue)).toContain('block');
  });

  test('[WEB] effects of a wrong prediction are removed', () => {
    const before = poise('heavy');
    const guessed = step(before, [0, 0]);
    const corrected = change(guessed, {}, { health: 1_000, act: 'block' });
    expect(eventsOf(guessed, corrected).undone).toEqual([1]);
  });

  test('[WEB] a tick without events has no effect, nor has a new round', () => {
    const state = startFight();
    expect(eventsOf(state, step(state, [0, 0]))).toEqual({
      effects: [],
      cues: [],
      shake: 0,
      undone: [],
    });
    expect(eventsOf(change(state, { health: 0 }), openFight()).effects).toEqual([]);
  });

  test('[WEB] a ribbon stays connected, however its fighter moves', () => {
    const ribbon = makeRibbon(80);
    for (let n = 0; n < 600; n += 1) {
      const x = n % 100 < 50 ? n * 40 : n * 40 - 3_000;
      ribbon.follow([x, 1_500 + 400 * Math.sin(n)], n % 7 === 0 ? 0.2 : 1 / 60, n % 2 ? 1 : -1);
      const { points } = ribbon;
      expect(points.flat().every(Number.isFinite)).toBe(true);
      for (const [at, [px, py]] of points.entries()) {
        expect(Math.hypot(px - points[0]![0], py - points[0]![1])).toBeLessThanOrEqual(
          at * 80 + 1_500,
        );
      }
    }
  });
});

describe('the frame rate', () => {
  const beats = (ms: number, count: number) => {
    const changes: number[] = [];
    const pace = makePace((sharpness) => changes.push(sharpness));
    for (let n = 0; n < count; n += 1) pace.beat(n * ms);
    return { pace, changes };
  };

  test('[WEB] the full resolution stays at sixty frames a second', () => {
    const { pace, changes } = beats(16.7, 600);
    expect(changes).toEqual([]);
    expect(pace.isFast).toBe(false);
  });

  test('[WEB] the resolution is lowered step by step while frames are late, down to a minimum', () => {
    const { changes } = beats(25, 600);
    expect(changes).toEqual([1.5, 1.25, 1, 0.75]);
  });

  test('[WEB] a display faster than the ticks is detected', () => {
    expect(beats(8.33, 200).pace.isFast).toBe(true);
  });

  test('[WEB] a pause does not count as late frames', () => {
    const { pace } = beats(16.7, 30);
    expect(pace.beat(5_000)).toBe(0);
  });
});

describe('a stall', () => {
  const lines = { isConnected: true, away: null as string | null, isAwaited: false };
  const watching = (part: Partial<typeof lines> = {}) => {
    const known = { ...lines, ...part };
    return makeStallWatch({
      isConnected: () => known.isConnected,
      awayName: () => known.away,
      isAwaited: () => known.isAwaited,
    });
  };

  test('[WEB] is detected after a moment, with whose connection it is', () => {
    const watch = watching({ away: 'Bea' });
    const other = { kind: 'other', name: 'Bea' } as const;
    expect(watch.check(100, 0, 1_000)).toEqual({ ...other, waits: false });
    expect(watch.check(100, 0, 1_400)).toEqual({ ...other, waits: true });
    // The fight continues without them: that is announced once.
    expect(watch.check(101, 0, 1_420)).toEqual({ ...other, waits: false });
    expect(watch.check(200, 0, 3_600)).toBeNull();
  });

  test('[P6] distinguishes a player who has never connected from one who left', () => {
    const watch = watching({ away: 'Bea', isAwaited: true });
    const stall = { kind: 'awaited', name: 'Bea', waits: false } as const;
    expect(watch.check(100, 0, 1_000)).toEqual(stall);
    expect(stallBanner(stall, t).text).toBe('Bea has not come yet');
  });

  test('[WEB] without a connection names the player’s own, whatever else is known', () => {
    const watch = watching({ isConnected: false, away: 'Bea' });
    expect(watch.check(100, 0, 1_000)).toBeNull();
    expect(watch.check(100, 2_000, 1_400)).toEqual({ kind: 'own' });
  });

  test('[WEB] with all players connected is attributed to the server', () => {
    const watch = watching();
    expect(watch.check(100, 0, 1_000)).toBeNull();
    expect(watch.check(100, 0, 1_400)).toEqual({ kind: 'silent' });
  });

  test('[WEB] is not reported while the server is a little ahead of the clock', () => {
    const watch = watching();
    expect(watch.check(300, 0, 0)).toBeNull();
    expect(watch.check(301, 12, 17)).toBeNull();
    expect(watch.check(302, 0, 33)).toBeNull();
  });

  test('[WEB] shows a countdown until play continues, but not at the very start', () => {
    const watch = watching();
    expect(watch.check(0, 250, 0)).toBeNull();
    expect(watch.check(300, 2_500, 100)).toEqual({ kind: 'resumes', inMs: 2_500 });
  });
});

describe('the description in words', () => {
  test('[WEB] includes health, rounds and time', () => {
    const state = change(hold(startFight(), [0, 0], 60), { health: 455 });
    expect(wordsOf(state, ['Ada', 'Bea'], t)).toBe(
      'Round 1, 98 seconds left. Ada: health 46 percent, rounds won 0. Bea: health 100 percent, rounds won 0.',
    );
    expect(secondsLeft(openFight())).toBe(99);
  });

  test('[WEB] has health in whole percent, never rounded up too far', () => {
    for (let health = 10; health <= 1_000; health += 10) {
      const words = wordsOf(change(startFight(), { health }) as never, ['Ada', 'Bea'], t);
      expect(words).toContain(`Ada: health ${health / 10} percent`);
    }
  });

  test('[WEB] rates a connection as good, fair or poor', () => {
    const line = (roundTripMs: number | null) =>
      qualityOf({ roundTripMs, rollbacks: 0, deepest: 0, refused: 0, resyncs: 0, desyncs: 0 });
    expect([line(null), line(20), line(120), line(300)]).toEqual(['good', 'good', 'fair', 'poor']);
  });
});
