/**
 * A fight on a connection that stalls, breaks, and reconnects to a service that knows less than was
 * shown.
 */

import { expect, test } from 'bun:test';
import type { Json } from '../../../game/src/game.ts';
import { LIGHT, RIGHT } from '../../../src/games/fight-arena/controls.ts';
import { hold, openFight, startFight } from '../../../src/games/fight-arena/fight.test-kit.ts';
import { fightArena } from '../../../src/games/fight-arena/fight-arena.ts';
import { WALK_FORWARD } from '../../../src/games/fight-arena/stage.ts';
import type { FightState } from '../../../src/games/fight-arena/state.ts';
import type { ClientMessage } from '../generated/frames.ts';
import type { Fight } from './fight.ts';
import { makeFight } from './fight.ts';
import type { ConnectionEvent } from './link.ts';

const START = Date.UTC(2026, 10, 14, 12);
const MS_PER_TICK = 1_000 / 60;

interface Line {
  readonly fight: Fight;
  /** Round-trip time, ms, as in pings. */
  roundTripMs: number;
  readonly sent: ClientMessage[];
  setOpen(isOpen: boolean): void;
  /** The first pong corrects the server's time by this many ms. */
  setRight(byMs: number): void;
  /** Time passes, with a rendered frame every tick. */
  play(ticks: number, mask: number): void;
  /** The whole state, whose next tick is due in this many ms; null while play is paused. */
  state(state: FightState, dueInMs: number | null): void;
  ticks(from: number, inputs: readonly (readonly number[])[]): void;
}

function openLine(): Line {
  const sent: ClientMessage[] = [];
  let now = START;
  let isOpen = true;
  let hear: (event: ConnectionEvent) => void = () => {};
  const line: Line = {
    sent,
    roundTripMs: 0,
    setOpen(is) {
      isOpen = is;
    },
    setRight(byMs) {
      now += byMs;
    },
    fight: makeFight({
      session: 's1',
      serverNow: () => now,
      roundTripMs: () => line.roundTripMs,
      transmit(message) {
        if (isOpen) sent.push(message);
        return isOpen;
      },
      on(listener) {
        hear = listener;
        return () => {};
      },
    }),
    play(ticks, mask) {
      for (let n = 0; n < ticks; n += 1) {
        now += MS_PER_TICK;
        line.fight.frame(mask);
      }
    },
    state(state, dueInMs) {
      const at = dueInMs === null ? null : new Date(now + dueInMs).toISOString();
      const view = fightArena.view(state, 0) as Json;
      const ticks = { next: state.tick, at };
      const graces = [null, null];
      const cause = { t: 'state', status: 'active', seat: 0, view, ticks, graces } as never;
      hear({ kind: 'session', session: null as never, cause });
    },
    ticks(from, inputs) {
      const frame = { t: 'ticks', s: 's1', from, inputs, committed: from } as never;
      hear({ kind: 'ticks', frame });
    },
  };
  return line;
}

/** Messages sent since the last call. */
function take(line: Line): ClientMessage[] {
  return line.sent.splice(0);
}

test('[P8] a client that reconnects sends nothing before the whole state has arrived', () => {
  const line = openLine();
  line.state(startFight(), 0);
  const { tick } = line.fight.confirmed!;
  line.play(6, RIGHT);
  expect(take(line)).toContainEqual({ t: 'in', s: 's1', from: tick, masks: [RIGHT, RIGHT, RIGHT] });
  line.setOpen(false);
  line.play(10, RIGHT);
  expect(line.fight.resumesInMs).toBeNull();
  const stoodAt = line.fight.frame(RIGHT)!.tick;
  // The service returns at an earlier tick, and waits for the other player.
  line.setOpen(true);
  line.play(30, RIGHT);
  expect(take(line)).toEqual([]);
  expect(line.fight.frame(RIGHT)!.tick).toBe(stoodAt);
  const earlier = hold(openFight(), [0, 0], tick - 40);
  line.state(earlier, null);
  line.play(30, RIGHT);
  expect([take(line), line.fight.frame(0)!.tick]).toEqual([[], earlier.tick]);
  line.state(earlier, 3_000);
  line.play(150, RIGHT);
  expect(take(line)).toEqual([]);
  line.play(60, RIGHT);
  const first = take(line)[0]!;
  expect(first).toMatchObject({ t: 'in', from: earlier.tick });
});

test('[P9] a stalled connection is compensated by the ticks received: nothing is requested', () => {
  const line = openLine();
  const start = startFight();
  line.state(start, 0);
  line.play(26, RIGHT);
  take(line);
  line.ticks(start.tick, [[RIGHT, LIGHT, 3]]);
  expect(line.fight.stats).toMatchObject({ jumps: 1, resyncs: 0, desyncs: 0 });
  line.play(1, RIGHT);
  expect(take(line).filter(({ t }) => t === 'sync')).toEqual([]);
  expect(line.fight.confirmed).toEqual(hold(start, [RIGHT, LIGHT], 3));
});

test('[P9] a gap, and a hash that differs, request the whole state, at a limited rate', () => {
  const line = openLine();
  line.state(startFight(), 0);
  line.play(60, RIGHT);
  line.ticks(line.fight.confirmed!.tick + 5, [[0, 0, 3]]);
  take(line);
  line.play(20, RIGHT);
  expect(take(line)).toEqual([{ t: 'sync', s: 's1' }]);
  line.play(20, RIGHT);
  expect(take(line)).toEqual([{ t: 'sync', s: 's1' }]);
});

test('[P9] a gap requests the state although the server’s time was corrected by minutes since the last request', () => {
  const line = openLine();
  expect(take(line)).toEqual([{ t: 'sync', s: 's1' }]);
  line.setRight(-180_000);
  line.state(startFight(), 0);
  line.play(10, 0);
  line.ticks(line.fight.confirmed!.tick + 40, [[0, 0, 3]]);
  take(line);
  line.play(2, 0);
  expect(take(line)).toEqual([{ t: 'sync', s: 's1' }]);
  line.setRight(-180_000);
  line.play(2, 0);
  expect(take(line)).toEqual([{ t: 'sync', s: 's1' }]);
});

test.each([
  [2, 0],
  [36, 1],
  [70, 2],
  [120, 3],
  [900, 3],
])(
  "[P9] with pings of %i ms the player's own input is delayed by %i ticks",
  (roundTripMs, ticks) => {
    const line = openLine();
    line.roundTripMs = roundTripMs;
    line.state(startFight(), 0);
    // Input is first sent for the tick in which it takes effect.
    line.play(12, RIGHT);
    const played = line.fight.frame(RIGHT)!;
    const walked = played.fighters[0].x - startFight().fighters[0].x;
    expect(walked / WALK_FORWARD).toBe(played.tick - startFight().tick - ticks);
  },
);
