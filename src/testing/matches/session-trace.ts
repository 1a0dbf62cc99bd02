/** Sessions driven through `decide` as by a match host, with everything recorded for inspection. */

import { deepFreeze } from '../../../game/src/testing/random-play.ts';
import { findGame, shippedGames } from '../../games/registry.ts';
import type { Command, Decision } from '../../match/decide.ts';
import { decide } from '../../match/decide.ts';
import { openSession } from '../../match/evolve.ts';
import type { Entry, SessionSetup } from '../../match/record.ts';
import type { ActiveSession, EndedSession, Roster, Session } from '../../match/session.ts';

/** When the sessions of tests are created, ms since 1970: a whole minute. */
export const T0 = 1_700_000_040_000;
/** Distinctive enough to be found wherever it leaks. */
export const TEST_SECRET = 'c0ffee5ec2e7'.repeat(4);

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;

/** One command and its result. */
export interface TracedCommand {
  readonly before: Session;
  readonly command: Command;
  readonly now: number;
  readonly lostMs: number;
  readonly decision: Decision;
  readonly after: Session;
}

/** A session from its creation on. `session` is the state after the last of `commands`. */
export interface Trace {
  readonly first: Session;
  readonly session: Session;
  readonly entries: readonly Entry[];
  readonly commands: readonly TracedCommand[];
}

/** A setup with every default of a real session's. */
export function makeTestSetup(change: Partial<SessionSetup> = {}): SessionSetup {
  const id = change.game ?? 'tictactoe';
  const game = findGame(id)!;
  const options = Object.entries(game.options).map(([name, spec]) => [name, spec.default]);
  return {
    game: id,
    rulesVersion: game.rulesVersion,
    mode: 'live',
    matchType: 'private',
    variant: game.variants[0],
    seats: game.seats.default,
    options: Object.fromEntries(options),
    turnTimeoutMs: game.turnTimeoutMs,
    clock: null,
    disconnectGraceMs: MINUTE,
    afk: true,
    botDifficulty: 'medium',
    seed: TEST_SECRET,
    expiresAt: T0 + 10 * MINUTE,
    ...change,
  };
}

/** A session with only its first record; `taken` seats have players, `bots` are among them. */
export function openTrace(
  setup: SessionSetup,
  taken: readonly number[] = [0],
  bots: readonly number[] = [],
): Trace {
  const entry: Entry = { v: 0, at: T0, record: { k: 'created', setup, taken, bots, node: 'a' } };
  const session = deepFreeze(openSession(shippedGames.findPlayed, 'ses_test', deepFreeze(entry)));
  return { first: session, session, entries: [entry], commands: [] };
}

/** The trace after one more command. All arguments of `decide` are frozen: a mutation throws. */
export function follow(trace: Trace, command: Command, now: number, lostMs = 0): Trace {
  const before = trace.session;
  const decision = deepFreeze(decide(before, command, now, lostMs));
  const after = decision.steps.at(-1)?.after ?? before;
  const traced = { before, command, now, lostMs, decision, after };
  return {
    ...trace,
    session: after,
    entries: [...trace.entries, ...decision.steps.map((step) => step.entry)],
    commands: [...trace.commands, traced],
  };
}

/** The commands one after another, each at its time in ms after `T0`. */
export function followAll(
  trace: Trace,
  commands: readonly (readonly [afterMs: number, command: Command, lostMs?: number])[],
): Trace {
  return commands.reduce(
    (so, [afterMs, command, lostMs]) => follow(so, command, T0 + afterMs, lostMs),
    trace,
  );
}

/** A session that all seats have joined and connected to at `T0`: it is active from then on. */
export function startTrace(change: Partial<SessionSetup> = {}): Trace {
  const setup = makeTestSetup(change);
  const seats = Array.from({ length: setup.seats }, (_, seat) => seat);
  const commands = seats.map((seat) => [0, { kind: 'connect', seat }] as const);
  return followAll(openTrace(setup, seats), commands);
}

export function lastDecision(trace: Trace): Decision {
  return trace.commands.at(-1)!.decision;
}

/** The kinds of the records, in order. */
export function kindsOf(entries: readonly Entry[]): string[] {
  return entries.map(({ record }) => record.k);
}

export function asActive(session: Session): ActiveSession {
  if (session.status !== 'active') throw new Error(`The session is ${session.status}`);
  return session;
}

export function asEnded(session: Session): EndedSession {
  if (session.status !== 'ended') throw new Error(`The session is ${session.status}`);
  return session;
}

export const TEST_ROOM_CODE = 'ABC234';

/** Players for every seat of a session, taken or not. */
export function makeTestRoster(seats: number): Roster {
  return Array.from({ length: seats }, (_, seat) => ({
    id: `player-${seat}`,
    displayName: seat === 0 ? 'Ada' : null,
  }));
}
