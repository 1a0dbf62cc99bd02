/** Random sessions of any game: setups, commands and the times between them, for fast-check. */

import fc from 'fast-check';
import type { AnyGame, Json } from '../../../game/src/game.ts';
import { actingSeats } from '../../../game/src/game.ts';
import { anyJunk, corrupted } from '../../../game/src/testing/junk.ts';
import { makeSetups } from '../../../game/src/testing/random-play.ts';
import { nextDeadline } from '../../match/deadline.ts';
import type { Command } from '../../match/decide.ts';
import { gameOf } from '../../match/evolve.ts';
import type { DrawStep, SessionSetup } from '../../match/record.ts';
import { DRAW_STEPS } from '../../match/record.ts';
import { seatOrder } from '../../match/seating.ts';
import type { Session } from '../../match/session.ts';
import type { Trace } from './session-trace.ts';
import { follow, MINUTE, makeTestSetup, openTrace, SECOND, T0 } from './session-trace.ts';

/** When a command comes: that long after the previous one, or that near to the next deadline. */
type Wait =
  | { readonly kind: 'ms'; readonly ms: number }
  | { readonly kind: 'deadline'; readonly offsetMs: number };

/** An action that fits any session; `pick` and `seat` are reduced to the existing ones. */
export type Deed =
  | { readonly kind: 'legal'; readonly pick: number }
  | { readonly kind: 'act'; readonly seat: number; readonly action: unknown }
  | { readonly kind: 'join'; readonly bot: boolean }
  | { readonly kind: 'connect' | 'disconnect' | 'resign' | 'leave'; readonly seat: number }
  | { readonly kind: 'entropy'; readonly seat: number; readonly value: string }
  | { readonly kind: 'draw'; readonly seat: number; readonly do: DrawStep }
  | { readonly kind: 'abort' | 'tick' | 'own' };

export interface RandomStep {
  readonly deed: Deed;
  readonly wait: Wait;
  /** A downtime just before the command, in ms. */
  readonly downMs: number;
}

/** A random session: its setup, and what happens in it. */
export interface RandomSession {
  readonly setup: SessionSetup;
  readonly taken: readonly number[];
  readonly bots: readonly number[];
  /** Whether all missing players come at once, so that play begins. */
  readonly complete: boolean;
  readonly steps: readonly RandomStep[];
}

const seat = fc.nat({ max: 3 });

/** Mostly soon, or no session would last; sometimes right at a deadline. */
const wait: fc.Arbitrary<Wait> = fc.oneof(
  { weight: 40, arbitrary: fc.nat({ max: SECOND }).map((ms) => ({ kind: 'ms', ms }) as const) },
  { weight: 1, arbitrary: fc.nat({ max: MINUTE }).map((ms) => ({ kind: 'ms', ms }) as const) },
  // The clock of another process may be behind.
  {
    weight: 1,
    arbitrary: fc.integer({ min: -SECOND, max: 0 }).map((ms) => ({ kind: 'ms', ms }) as const),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(-1, -1, -1, -1, 0, 1, 700, 40 * SECOND)
      .map((offsetMs) => ({ kind: 'deadline', offsetMs }) as const),
  },
);

function anyDeed(game: AnyGame): fc.Arbitrary<Deed> {
  const samples = legalSamples(game);
  const action = fc.oneof(fc.constantFrom(...samples), corrupted(samples), anyJunk);
  const value = fc.string({ maxLength: 64 });
  const drawStep = fc.constantFrom(...DRAW_STEPS);
  return fc.oneof(
    { weight: 60, arbitrary: fc.record({ kind: fc.constant('legal'), pick: fc.nat() }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('act'), seat, action }) },
    { weight: 10, arbitrary: fc.record({ kind: fc.constant('connect'), seat }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('disconnect'), seat }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('join'), bot: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('entropy'), seat, value }) },
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('draw'), seat, do: drawStep }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('tick') }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('own') }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom('resign', 'leave', 'abort'), seat }),
    },
  ) as fc.Arbitrary<Deed>;
}

/** Some actions of the game's first position; for tick games one that looks like masks. */
function legalSamples(game: AnyGame): readonly Json[] {
  if (game.ticks !== undefined) return [{ from: 0, masks: [0] }];
  const listed = makeSetups(game).map((setup) => {
    const state = game.initial(setup);
    return game.legalActions(state, actingSeats(game, state)[0]);
  });
  return listed.flatMap((actions) => actions ?? []);
}

function anySetup(game: AnyGame): fc.Arbitrary<SessionSetup> {
  const clock = fc.constantFrom(
    { initialMs: 10 * SECOND, incrementMs: 0 },
    { initialMs: 10 * SECOND, incrementMs: 2 * SECOND },
    { initialMs: 5 * MINUTE, incrementMs: 0 },
  );
  return fc
    .record({
      game: fc.constantFrom(...makeSetups(game)),
      turnTimeoutMs: fc.constantFrom(5 * SECOND, MINUTE, MINUTE),
      disconnectGraceMs: fc.constantFrom(0, 3 * SECOND, MINUTE, MINUTE, 10 * MINUTE),
      afk: fc.constantFrom(true, true, false),
      clock: fc.option(clock, { freq: 2 }),
      isDrawn: fc.boolean(),
    })
    .map(({ game: { variant, seats, options }, isDrawn, ...timing }) =>
      makeTestSetup({
        game: game.id,
        variant,
        seats,
        options,
        ...timing,
        // If no seat moves alone no clock runs.
        ...(game.ticks === undefined && game.acting === undefined ? null : { clock: null }),
        ...(isDrawn ? { seating: 'drawn' } : null),
      }),
    );
}

/** Sessions of one game with up to `stepsMax` commands after the first ones. */
export function anySession(game: AnyGame, stepsMax = 60): fc.Arbitrary<RandomSession> {
  const downMs = fc.oneof(
    { weight: 24, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 * MINUTE }) },
  );
  const step = fc.record({ deed: anyDeed(game), wait, downMs });
  return anySetup(game).chain((setup) =>
    fc.record({
      setup: fc.constant(setup),
      taken: fc
        .constant(seatOrder(setup))
        .chain((seats) =>
          fc.nat({ max: setup.seats - 1 }).map((open) => seats.slice(0, seats.length - open)),
        ),
      bots: fc.constant([]),
      complete: fc.integer({ min: 0, max: 4 }).map((n) => n > 0),
      steps: fc.array(step, { maxLength: stepsMax, size: 'max' }),
    }),
  );
}

/** A command at its time, with the time lost before it. */
export interface TimedCommand {
  readonly command: Command;
  readonly now: number;
  readonly lostMs: number;
}

/** Plays a random session as a host would: time is lost until a record says so. */
export function playSession(random: RandomSession): Trace {
  let trace = openTrace(random.setup, random.taken, random.bots);
  if (random.complete) trace = completeSeats(trace);
  let lostMs = 0;
  let now = T0;
  for (const [index, { deed, wait, downMs }] of random.steps.entries()) {
    now = Math.max(timeOf(trace.session, wait, now), downMs > 0 ? now : 0) + downMs;
    lostMs += downMs;
    const command = commandOf(trace.session, deed, index);
    const { v, at } = trace.session;
    // The clock may have been set back meanwhile.
    trace = follow(trace, command, now, Math.min(lostMs, Math.max(0, now - at)));
    if (trace.session.v > v) lostMs = 0;
  }
  return trace;
}

function completeSeats(trace: Trace): Trace {
  let complete = trace;
  for (const [index, { taken }] of trace.session.seats.entries()) {
    if (!taken) complete = follow(complete, { kind: 'join', bot: index === 3 }, T0);
  }
  for (const [index, { isBot }] of complete.session.seats.entries()) {
    if (!isBot) complete = follow(complete, { kind: 'connect', seat: index }, T0);
  }
  return complete;
}

function timeOf(session: Session, wait: Wait, now: number): number {
  if (wait.kind === 'ms') return now + wait.ms;
  const deadline = nextDeadline(session);
  return deadline === null ? now : Math.max(now, deadline + wait.offsetMs);
}

function commandOf(session: Session, deed: Deed, index: number): Command {
  const at = 'seat' in deed ? deed.seat % session.seats.length : 0;
  const id = `c${index}`;
  switch (deed.kind) {
    case 'legal':
      return legalMove(session, deed.pick, id);
    case 'act':
      return { kind: 'act', seat: at, id, action: deed.action };
    case 'join':
      return { kind: 'join', bot: deed.bot };
    case 'connect':
    case 'disconnect':
      // Only a player with a seat has a socket.
      return session.seats[at]!.taken ? { kind: deed.kind, seat: at } : { kind: 'tick' };
    case 'entropy':
      return { kind: 'entropy', seat: at, value: deed.value };
    case 'resign':
    case 'leave':
      return { kind: deed.kind, seat: at, id };
    case 'draw':
      return { kind: 'draw', seat: at, id, do: deed.do };
    case 'own':
      return { kind: 'own', node: `node-${index}` };
    case 'abort':
    case 'tick':
      return { kind: deed.kind };
  }
}

function legalMove(session: Session, pick: number, id: string): Command {
  if (session.status !== 'active') return { kind: 'act', seat: 0, id, action: null };
  const game = gameOf(session);
  if (game.ticks !== undefined) return someTicks(game.ticks, session.play.state, pick);
  const { acting, state } = session.play;
  const seat = acting[pick % Math.max(1, acting.length)] ?? 0;
  const legal = game.legalActions(state, seat);
  // If they are not finite: the test game's stakes.
  const action =
    legal === null ? { stake: ((pick % 24) + 1) / 8 } : (legal[pick % legal.length] ?? null);
  return { kind: 'act', seat, id, action };
}

/** What the runner would send: mostly the next ticks, sometimes others. */
function someTicks(
  { tickOf, maskMax }: NonNullable<AnyGame['ticks']>,
  state: Json,
  pick: number,
): Command {
  const from = tickOf(state) + (pick % 17 === 0 ? 1 : 0);
  const runs = [
    [pick & maskMax, (pick >>> 9) & maskMax, 1 + (pick % 8)],
    [(pick >>> 3) & maskMax, (pick >>> 5) & maskMax, 1 + ((pick >>> 4) % 7)],
  ];
  return { kind: 'ticks', from, runs };
}
