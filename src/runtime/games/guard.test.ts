/** Limits on an operator's rules: the time of a call, the size of a state, and the reports. */

import { expect, test } from 'bun:test';
import type { AnyGame, Json } from '../../../game/src/game.ts';
import type { Rules } from '../../games/games.ts';
import { tictactoe } from '../../games/tictactoe/tictactoe.ts';
import { stopwatchMs } from '../system.ts';
import type { GuardedCall } from './guard.ts';
import { GUARD_LIMITS, makeGuard, RulesStoppedError, StateError } from './guard.ts';

const LIMITS = { ...GUARD_LIMITS, callMs: 150, strictCallMs: 40, stateCharsMax: 1_000 };
const HASH = 'ab'.repeat(32);

function guarded(own: Partial<AnyGame>, hash: string | null = HASH) {
  const calls: GuardedCall[] = [];
  const slow: GuardedCall[] = [];
  const guard = makeGuard({
    limits: LIMITS,
    elapsedMs: stopwatchMs,
    onCall: (call) => calls.push(call),
    onSlow: (call) => slow.push(call),
  });
  const plain: Rules = { game: { ...(tictactoe as unknown as AnyGame), ...own }, bot: null, hash };
  return { guard, rules: guard.protect(plain), calls, slow };
}

const forever = (): never => {
  for (;;) {
    try {
      for (;;);
    } catch {
      // Rules cannot catch a stop.
    }
  }
};

function timed(act: () => unknown): { readonly ms: number; readonly error: unknown } {
  const began = stopwatchMs();
  try {
    act();
    return { ms: stopwatchMs() - began, error: null };
  } catch (error) {
    return { ms: stopwatchMs() - began, error };
  }
}

const SETUP = { variant: 'standard', seats: 2, options: {} };

test('[G-OWN] an endless loop is stopped and named, even if it catches every exception', () => {
  const { rules, calls } = guarded({ view: forever });
  const { ms, error } = timed(() => rules.game.view({}, null));
  expect(error).toBeInstanceOf(RulesStoppedError);
  expect(String(error)).toContain('tictactoe, version 1, took longer than 150 ms: view');
  expect(ms).toBeWithin(140, 3_000);
  // Later calls run as before.
  expect(rules.game.initial(SETUP)).toEqual(tictactoe.initial(SETUP) as Json);
  expect(calls.map(({ what }) => what)).toEqual(['view', 'initial']);
});

test('[G-OWN] a call stopped because the process stood still is repeated', () => {
  let tries = 0;
  const { rules, guard } = guarded({
    view: () => {
      tries += 1;
      // The first pause of the process.
      if (tries === 1) forever();
      return tries;
    },
  });
  expect(rules.game.view({}, null)).toBe(2);
  tries = 0;
  expect(guard.run(rules, 'frames', () => rules.game.view({}, null))).toBe(2);
  tries = 0;
  const { error } = timed(() => guard.run(rules, 'ticks', () => rules.game.view({}, null), true));
  expect([tries, String(error)]).toEqual([1, expect.stringContaining('took longer than 150 ms')]);
});

test('[G-OWN] a call that draws random values is not repeated: it would draw others', () => {
  let tries = 0;
  const { rules } = guarded({
    apply: () => {
      tries += 1;
      return forever();
    },
  });
  expect(timed(() => rules.game.apply({}, 0, {}, { integer: () => 0 })).error).not.toBeNull();
  expect(tries).toBe(1);
});

test('[G-OWN] rules that were stopped have a lower limit for a while', () => {
  const { rules } = guarded({ view: forever });
  timed(() => rules.game.view({}, null));
  const { error } = timed(() => rules.game.view({}, null));
  expect(String(error)).toContain('took longer than 40 ms');
});

test('[G-OWN] several functions in one guarded call share one limit', () => {
  const { guard, rules, calls } = guarded({});
  const shown = guard.run(rules, 'frames', () => {
    const state = rules.game.initial(SETUP);
    return [rules.game.view(state, null), rules.game.legalActions(state)];
  });
  expect(shown[1]).toHaveLength(9);
  expect(calls.map(({ what }) => what)).toEqual(['frames']);
  const looping = guarded({ view: forever });
  const { error } = timed(() =>
    looping.guard.run(looping.rules, 'frames', () => looping.rules.game.view({}, null)),
  );
  expect(String(error)).toContain('took longer than 150 ms: frames');
});

test('[G-OWN] an error thrown by rules is passed on unchanged', () => {
  const thrown = new RangeError('off the board');
  const { rules } = guarded({
    turn: () => {
      throw thrown;
    },
  });
  expect(timed(() => rules.game.turn({})).error).toBe(thrown);
});

test('[G-OWN] a state that is too large, or not JSON, is refused wherever it is returned', () => {
  const big = { text: 'x'.repeat(2_000) };
  const { rules } = guarded({
    initial: () => big,
    apply: () => ({ state: big, events: [] }),
    missTurn: () => ({ state: undefined as unknown as Json, events: [] }),
    forfeit: () => big,
  });
  const random = { integer: () => 0 };
  const { game } = rules;
  const acts = [
    () => game.initial(SETUP),
    () => game.apply({}, 0, {}, random),
    () => game.forfeit!({}, 0),
  ];
  for (const act of acts) {
    const { error } = timed(act);
    expect(error).toBeInstanceOf(StateError);
    expect(String(error)).toContain('a state has 2011 characters as JSON, at most 1000');
  }
  expect(String(timed(() => game.missTurn!({}, 0, random)).error)).toContain('is no JSON');
  const none = guarded({ initial: () => undefined as unknown as Json });
  expect(String(timed(() => none.rules.game.initial(SETUP)).error)).toContain('is no JSON');
});

test('[G-OWN] the states of a tick game are checked at intervals', () => {
  const ticks = {
    ticksPerSecond: 60,
    maskMax: 1,
    step: (state: Json) => `${state}${'x'.repeat(100)}`,
    tickOf: () => 0,
    hash: () => '00000000',
    eventsOf: () => [],
  };
  const { rules } = guarded({ ticks });
  let state: Json = '';
  const { error } = timed(() => {
    for (let tick = 0; tick < 120; tick += 1) state = rules.game.ticks!.step(state, [0, 0]);
  });
  expect(error).toBeInstanceOf(StateError);
  expect(String(state).length).toBeLessThan(60 * 100 + 1);
});

test('[G-OWN] a slow call is reported with its time, a fast one is not', () => {
  const { rules, slow } = guarded({
    turn: () => {
      const began = stopwatchMs();
      while (stopwatchMs() - began < 70);
      return 0;
    },
  });
  expect(rules.game.turn({})).toBe(0);
  rules.game.outcome(rules.game.initial(SETUP));
  expect(slow.map(({ what, rules: { game } }) => [what, game])).toEqual([['turn', 'tictactoe']]);
  expect(slow[0]!.ms).toBeWithin(70, 2_000);
});

test('[G-OWN] shipped rules run unguarded', () => {
  const { guard, calls } = guarded({});
  const shipped: Rules = { game: tictactoe as unknown as AnyGame, bot: null, hash: null };
  expect(guard.run(shipped, 'decide', () => 7)).toBe(7);
  expect(calls).toEqual([]);
});

test('[G-OWN] a bot that hangs on this thread is stopped like rules', () => {
  const { guard } = guarded({});
  const bot = { makeMind: () => ({ choose: forever }) };
  const rules = guard.protect({ game: tictactoe as unknown as AnyGame, bot, hash: HASH });
  const mind = rules.bot!.makeMind();
  const question = { state: {}, seat: 0, level: 'easy', nodesMax: 1 } as const;
  const { error } = timed(() => mind.choose(question, { integer: () => 0 }));
  expect(String(error)).toContain('choose');
});
