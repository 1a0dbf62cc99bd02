/** One run: a fleet under load and under faults, and at its end the losses. */

import type { Finding } from '../../src/testing/matches/histories.ts';
import { makeBackend } from './backend.ts';
import { makeChance } from './chance.ts';
import { type DeliveryFigures, openEndpoints } from './deliveries.ts';
import { type FightFigures, playFights } from './fights.ts';
import { type Fleet, openFleet } from './fleet.ts';
import { askTooMuch, checkLimits, type LimitFigures } from './limits.ts';
import { type MatchFigures, registerBots, startMatches } from './matches.ts';
import { type Fault, type FaultFigures, type Scene, strike } from './nemesis.ts';
import { makePulse, percentile } from './pulse.ts';
import { playRooms, type RoomFigures } from './rooms.ts';
import { playTickets, type TicketFigures } from './tickets.ts';

export interface RunOptions {
  /** At least. */
  readonly minutes: number;
  readonly seed: number;
  /** 1: one process with SQLite. More: PostgreSQL with its standby, and three brokers. */
  readonly nodes: number;
  readonly matchesAtOnce: number;
  /** Nothing but matches: no tickets, rooms, fights and limits. */
  readonly matchesOnly?: boolean;
  /** For each match; the game's own by default. */
  readonly turnTimeoutMs?: number;
  /** Faults: each once, even beyond the time, then at random. */
  readonly faults: readonly Fault[];
  say(line: string): void;
  /** Called for each finding, with its context. */
  onFound?(finding: string, evidence: object | null): void;
}

export interface RunReport {
  readonly minutes: number;
  readonly seed: number;
  readonly nodes: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly matches: MatchFigures;
  readonly tickets: TicketFigures;
  readonly rooms: RoomFigures;
  readonly fights: FightFigures;
  readonly limits: { readonly asked: number; readonly limit: number; readonly allowedMost: number };
  readonly deliveries: DeliveryFigures;
  /** Times in ms: how many, p50, p99, the longest. */
  readonly times: Readonly<Record<string, Times>>;
  readonly silent: number;
  readonly findings: readonly string[];
}

export interface Times {
  readonly count: number;
  readonly p50: number | null;
  readonly p99: number | null;
  readonly max: number | null;
}

const MINUTE_MS = 60_000;
/** Before the first fault: matches of all ages. */
const WARM_UP_MS = 3_000;
const CALM_MS = { from: 500, to: 4_000 };
const FINDINGS_SHOWN = 40;

export async function runFaults(options: RunOptions): Promise<RunReport> {
  const { seed, nodes, say } = options;
  const chance = makeChance(seed);
  const faults = options.faults.filter(({ needsCluster }) => !needsCluster || nodes > 1);
  if (faults.length === 0) throw new Error('There is no such fault for so many nodes');
  say(`seed ${seed}, ${nodes} nodes: starting`);
  const fleet = await openFleet({ nodes, chance });
  const findings: string[] = [];
  const found = (what: Finding | string, evidence?: object): void => {
    options.onFound?.(what, evidence ?? null);
    if (findings.length < FINDINGS_SHOWN) say(`FOUND ${what}`);
    findings.push(what);
  };
  try {
    const { url } = fleet;
    const backend = makeBackend({ url, key: fleet.keys.wide, onFault: found });
    const asked = { backend, url, found };
    const pulse = makePulse();
    const endpoints = await openEndpoints(asked);
    await registerBots(backend);
    const matches = startMatches({
      ...asked,
      chance,
      pulse,
      atOnce: options.matchesAtOnce,
      turnTimeoutMs: options.turnTimeoutMs,
    });
    const narrow = makeBackend({ url, key: fleet.keys.narrow, onFault: found });
    const work = startWork(asked, narrow, options.matchesOnly ?? false);
    const figures: FaultFigures = { counts: {}, killed: [], drained: [], resumed: {}, silent: 0 };
    const scene: Scene = { fleet, chance, pulse, running: matches.running, figures, found };
    await Bun.sleep(WARM_UP_MS);
    await strikeAll(scene, faults, options);
    // The final checks take long after a long run: a run that is stopped early has these.
    say(JSON.stringify({ faults: figures.counts, times: timesOf(figures) }));
    say('no more faults: all matches are played to their ends');
    await Promise.all([work.stop(), matches.finish()]);
    // One process counts in memory: a restart begins again.
    if (nodes > 1) checkLimits(found, fleet.keys.narrowLimit, work.limits);
    const deliveries = await endpoints.finish();
    await endpoints.close();
    if (findings.length > 0) await showInside(fleet, findings, options);
    return {
      minutes: options.minutes,
      seed,
      nodes,
      faults: figures.counts,
      matches: matches.figures,
      tickets: work.tickets,
      rooms: work.rooms,
      fights: work.fights,
      limits: {
        asked: work.limits.asked,
        limit: fleet.keys.narrowLimit,
        allowedMost: Math.max(0, ...work.limits.allowed.values()),
      },
      deliveries,
      times: timesOf(figures),
      silent: figures.silent,
      findings,
    };
  } finally {
    await fleet.close();
  }
}

/** Each once, however long it takes; then at random while there is time. */
async function strikeAll(
  scene: Scene,
  faults: readonly Fault[],
  { minutes, say }: RunOptions,
): Promise<void> {
  const { chance } = scene;
  const until = performance.now() + minutes * MINUTE_MS;
  const queue = [...faults];
  while (queue.length > 0 || performance.now() < until) {
    const [first] = queue.splice(chance.below(queue.length), 1);
    const fault = first ?? chance.pick(faults);
    say(fault.name);
    await strike(fault, scene);
    await Bun.sleep(chance.between(CALM_MS.from, CALM_MS.to));
  }
}

/** For the investigation: the nodes' logs, and the stored data of the named sessions. */
async function showInside(
  fleet: Fleet,
  findings: readonly string[],
  { onFound }: RunOptions,
): Promise<void> {
  const logs = fleet.nodes.map((node) => [node.name, node.log()] as const);
  onFound?.('the log of each node', Object.fromEntries(logs));
  const sessions = [...new Set(findings.join().match(/ses_\w+/g))];
  const text = 'SELECT session, v, at, record FROM log WHERE session = ANY($1) ORDER BY session, v';
  const rows = await fleet.store?.query<object>(text, [sessions]);
  if (rows !== undefined) onFound?.('the records of these sessions', rows);
}

/** Everything that runs besides the matches. */
function startWork(
  asked: Parameters<typeof playTickets>[0],
  narrow: ReturnType<typeof makeBackend>,
  isStopped: boolean,
) {
  const tickets: TicketFigures = { rounds: 0, adds: 0, starts: 0, seated: 0 };
  const rooms: RoomFigures = { rounds: 0, joins: 0 };
  const fights: FightFigures = { fights: 0, ticks: 0, comebacks: 0, resyncs: 0 };
  const limits: LimitFigures = { asked: 0, allowed: new Map() };
  let isOver = isStopped;
  const isStopping = (): boolean => isOver;
  const work = Promise.all([
    playTickets(asked, tickets, isStopping),
    playRooms(asked, rooms, isStopping),
    playFights(asked, fights, isStopping),
    askTooMuch(narrow, limits, isStopping),
  ]);
  return {
    tickets,
    rooms,
    fights,
    limits,
    async stop() {
      isOver = true;
      await work;
    },
  };
}

function timesOf({ killed, drained, resumed }: FaultFigures): Record<string, Times> {
  const all = { 'SIGKILL of the owner': killed, 'SIGTERM of the owner': drained, ...resumed };
  return Object.fromEntries(Object.entries(all).map(([name, times]) => [name, timesIn(times)]));
}

function timesIn(times: readonly number[]): Times {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number | null => {
    const value = percentile(sorted, share);
    return value === null ? null : Math.round(value);
  };
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}
