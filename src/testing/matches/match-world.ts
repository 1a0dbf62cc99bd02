/** A match host with a manual clock, a store that can fail, and sockets. */

import type { Json, Seat } from '../../../game/src/game.ts';
import type { Games } from '../../games/games.ts';
import { findGame, shippedGames } from '../../games/registry.ts';
import type { Viewer } from '../../match/frames/frames.ts';
import type { Entry, LogRecord, SessionSetup } from '../../match/record.ts';
import type { Roster } from '../../match/session.ts';
import type { RunRules } from '../../runtime/games/guard.ts';
import { withAnswer } from '../../runtime/host/answers.ts';
import type { Peers } from '../../runtime/host/host-deps.ts';
import type { LocalHost } from '../../runtime/host/match-host.ts';
import { makeMatchHost } from '../../runtime/host/match-host.ts';
import type { PlayerCommand } from '../../runtime/host/player-work.ts';
import type { Subscriber, WorkResult } from '../../runtime/host/work.ts';
import { makeIds } from '../../runtime/ids.ts';
import { readLastSign } from '../../runtime/lifetime.ts';
import { openMemoryStore } from '../../store/sqlite/memory-store.ts';
import type { CoreStore, NewSession, SeatedRow, SessionRow } from '../../store/store.ts';
import type { Faults } from '../faulty-store.ts';
import { makeFaults, makeFaultyStore } from '../faulty-store.ts';
import type { ManualClock } from '../manual-clock.ts';
import { makeManualClock } from '../manual-clock.ts';
import { makeSeededRandomness } from '../seeded-randomness.ts';
import { testSeals } from '../test-seals.ts';

export const TENANT = 'ten_a';
/** Enough turns of the event loop for everything a test has started. */
const SETTLE_TURNS = 12;

export interface World {
  readonly clock: ManualClock;
  /** The store's contents, without faults. */
  readonly kept: CoreStore;
  readonly faults: Faults;
  readonly host: LocalHost;
  readonly node: string;
  /** Sessions that broke, and why. */
  readonly broken: [session: string, error: unknown][];
  /** The first session that could not be loaded, for each series of failures. */
  readonly unread: string[];
  readonly stalls: { readonly from: number; readonly to: number }[];
}

export interface WorldOptions {
  readonly kept?: CoreStore;
  readonly clock?: ManualClock;
  readonly node?: string;
  readonly peers?: Peers;
  /** The shipped games by default. */
  readonly games?: Games;
  /** Without a limit by default. */
  readonly runRules?: RunRules;
}

/** A process that has just started on the store's contents. */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const { kept = openMemoryStore(), clock = makeManualClock(), node = 'nod_1' } = options;
  const faults = makeFaults();
  const aliveBefore = await readLastSign(kept, clock.now());
  const broken: World['broken'] = [];
  const unread: World['unread'] = [];
  const stalls: World['stalls'] = [];
  const makeId = makeIds(clock, makeSeededRandomness(1));
  const host = makeMatchHost({
    seals: testSeals,
    games: options.games ?? shippedGames,
    ...(options.runRules && { runRules: options.runRules }),
    store: makeFaultyStore(kept, faults),
    clock,
    randomness: makeSeededRandomness(2),
    aliveBefore,
    node,
    ...(options.peers && { peers: options.peers }),
    makeEventId: () => makeId('evt'),
    onBroken: (session, error) => void broken.push([session, error]),
    onUnread: (session) => void unread.push(session),
    onStall: (from, to) => void stalls.push({ from, to }),
  });
  return { clock, kept, faults, host, node, broken, unread, stalls };
}

/** The world after its process was killed and restarted, that long after its last heartbeat. */
export async function restart(world: World, downMs: number = 0, games?: Games): Promise<World> {
  const { kept, clock } = world;
  await kept.heartbeat(world.node, clock.now());
  // The old process's timers do not fire any more; its clock would continue in its place.
  const fresh = makeManualClock(clock.now() + downMs);
  const node = `nod_${Number(world.node.slice(4)) + 1}`;
  return openWorld({ kept, clock: fresh, node, ...(games && { games }) });
}

/** Runs everything that is under way. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < SETTLE_TURNS; turn++) await new Promise(setImmediate);
}

/** Advances time in steps, and everything that happens in it. */
export async function pass(world: World, ms: number, stepMs: number = ms): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    world.clock.advance(Math.min(stepMs, ms - passed));
    await settle();
  }
}

/** A time step in which no commit counts as stalled. */
const STEP_MS = 500;

/** Advances time as in service: with maintenance every second. */
export async function passMaintained(world: World, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    world.clock.advance(Math.min(STEP_MS, ms - passed));
    await settle();
    const isSecond = (passed + STEP_MS) % 1_000 === 0 || passed + STEP_MS >= ms;
    if (!isSecond) continue;
    await world.host.maintain();
    await settle();
  }
}

// ── sockets ────────────────────────────────────────────────────────────────────────────────────

/** A frame as a client reads it. */
export type SeenFrame = { readonly t: string; readonly v?: number } & Readonly<
  Record<string, Json>
>;

/** A viewer of a session. */
export interface Probe extends Subscriber {
  /** The frames of each write. */
  readonly writes: SeenFrame[][];
  /** All frames, in order. */
  readonly seen: () => SeenFrame[];
  /** The frames since the last call. */
  take(): SeenFrame[];
  /** How often it was told to read its session again. */
  losses: number;
}

export function makeProbe(viewer: Viewer): Probe {
  const writes: SeenFrame[][] = [];
  let taken = 0;
  return {
    viewer,
    player: null,
    writes,
    losses: 0,
    seen: () => writes.flat(),
    take() {
      const news = writes.slice(taken).flat();
      taken = writes.length;
      return news;
    },
    send(texts, answer) {
      writes.push(withAnswer(1, texts, answer).map((text) => JSON.parse(text) as SeenFrame));
    },
    lost() {
      this.losses += 1;
    },
  };
}

/** Attaches and waits; returns the outcome. */
export async function attach(world: World, id: string, probe: Probe): Promise<WorkResult> {
  const attached = new Promise<WorkResult>((resolve) => world.host.attach(id, probe, resolve));
  await settle();
  return attached;
}

/** A new socket for a seat, attached. */
export async function connect(world: World, id: string, viewer: Viewer): Promise<Probe> {
  const probe = makeProbe(viewer);
  await attach(world, id, probe);
  return probe;
}

/** The frames' names, e.g. `ack 4`. */
export function namesOf(frames: readonly SeenFrame[]): string[] {
  return frames.map(({ t, v, code }) => `${t} ${code ?? v}`);
}

// ── sessions ───────────────────────────────────────────────────────────────────────────────────

export interface SessionWish {
  readonly setup?: Partial<SessionSetup>;
  /** Taken seats; all by default. */
  readonly taken?: readonly Seat[];
}

/** Creates a session and loads it into memory, as the service does. */
export async function createSession(
  world: World,
  id: string,
  wish: SessionWish = {},
): Promise<void> {
  const now = world.clock.now();
  const setup = makeSetup(now, wish.setup);
  const taken = wish.taken ?? Array.from({ length: setup.seats }, (_, seat) => seat);
  const record: LogRecord = { k: 'created', setup, taken, bots: [], node: world.node };
  const entry: Entry = { v: 0, at: now, record };
  const seats = taken.map((seat) => seatOf(id, seat, now));
  const row: NewSession['row'] = {
    id,
    tenant: TENANT,
    mode: setup.mode,
    game: setup.game,
    matchType: setup.matchType,
    variant: setup.variant,
    roomCode: id.slice(-6).toUpperCase(),
    metadata: null,
    theme: null,
    createdAt: now,
  };
  const outcome = await world.kept.createSession({
    row,
    seats,
    entry,
    roomCodeExpiresAt: now + 600_000,
    wakeAt: null,
    quota: { month: null, sessionsPerMonthMax: null, openSessionsMax: null },
    idempotency: null,
  });
  if (typeof outcome === 'string') throw new Error(outcome);
  const whole: SessionRow = { ...row, status: 'pending', startedAt: null, endedAt: null };
  const roster: Roster = Array.from({ length: setup.seats }, (_, seat) =>
    taken.includes(seat) ? playerOf(seat) : null,
  );
  world.host.adopt({ row: whole, roster, entries: [entry] });
}

/** The player of a seat in all test sessions. */
export function playerOf(seat: Seat): { readonly id: string; readonly displayName: string } {
  return { id: `player-${seat}`, displayName: `Player ${seat}` };
}

function seatOf(session: string, seat: Seat, at: number): SeatedRow {
  const { id: playerId, displayName } = playerOf(seat);
  return { seat, playerId, displayName, isBot: false, newRef: `ply_${session}_${seat}`, at };
}

function makeSetup(now: number, change: Partial<SessionSetup> = {}): SessionSetup {
  const game = findGame(change.game ?? 'tictactoe')!;
  const options = Object.entries(game.options).map(([name, spec]) => [name, spec.default]);
  return {
    game: game.id,
    rulesVersion: game.rulesVersion,
    mode: 'live',
    matchType: 'private',
    variant: game.variants[0],
    seats: game.seats.default,
    options: Object.fromEntries(options),
    turnTimeoutMs: game.turnTimeoutMs,
    clock: null,
    disconnectGraceMs: 60_000,
    afk: true,
    botDifficulty: 'medium',
    seed: 'c0ffee5ec2e7'.repeat(4),
    expiresAt: now + 600_000,
    ...change,
  };
}

/** An active session with a socket on every seat, after taking the frames so far. */
export async function startMatch(
  world: World,
  id: string,
  wish: SessionWish = {},
): Promise<Probe[]> {
  await createSession(world, id, wish);
  const seats = (await world.host.peek(id))!.session.setup.seats;
  const probes: Probe[] = [];
  for (let seat = 0; seat < seats; seat++) probes.push(await connect(world, id, seat));
  for (const probe of probes) probe.take();
  return probes;
}

/** A world with one match of two, as `startMatch` makes it. */
export async function openMatch(id: string, wish?: SessionWish): Promise<[World, Probe, Probe]> {
  const world = await openWorld();
  const [x, o] = (await startMatch(world, id, wish)) as [Probe, Probe];
  return [world, x, o];
}

// ── moves ──────────────────────────────────────────────────────────────────────────────────────

export function act(id: string, action: unknown): PlayerCommand {
  return { kind: 'act', id, action };
}

/** Marks a cell of tic-tac-toe; the position is also the command's id. */
export function mark(position: number): PlayerCommand {
  return act(`m${position}`, { position });
}

/** Sends a command from a probe's seat and waits for the result. */
export async function play(
  world: World,
  id: string,
  probe: Probe,
  command: PlayerCommand,
): Promise<void> {
  world.host.play(id, probe.viewer!, command, probe);
  await settle();
}

/** The kept log. */
export async function logOf(world: World, id: string): Promise<readonly Entry[]> {
  return (await world.kept.loadSession(id))!.entries;
}

/** The kinds of the kept records. */
export async function kindsOf(world: World, id: string): Promise<string[]> {
  return (await logOf(world, id)).map(({ record }) => record.k);
}

/** The session's stored status and, after its end, the reason. */
export async function fateOf(world: World, id: string): Promise<string> {
  const stored = (await world.kept.loadSession(id))!;
  const last = stored.entries.at(-1)!.record;
  return last.k === 'ended' ? `${stored.row.status} ${last.outcome.reason}` : stored.row.status;
}

/** With the time of its last record, ms since 1970. */
export async function endOf(world: World, id: string): Promise<{ fate: string; at: number }> {
  const { at } = (await logOf(world, id)).at(-1)!;
  return { fate: await fateOf(world, id), at };
}
