/** A model of successive lanes and the faults around them: a log, a disk, an endpoint. */

import { setImmediate } from 'node:timers/promises';
import type { StoredEvent } from '../../events/event.ts';
import type { DeliveryProgress, Webhook } from '../../store/webhooks.ts';
import { type ManualClock, makeManualClock } from '../../testing/manual-clock.ts';
import { makeSeededChance } from '../../testing/seeded-chance.ts';
import { WEBHOOK } from '../../testing/webhooks/webhook-row.ts';
import type { Outstanding } from '../../webhooks/parcel.ts';
import { makeFairShare, SHARE_LIMITS } from './fair-share.ts';
import { type Lane, openLane } from './lane.ts';
import type { LaneDeps } from './lane-state.ts';
import type { SendResult } from './sending/sender.ts';

/** Constant during a run. */
export interface Nature {
  /** The seed of all random behaviour of the log, the endpoint and the disk. */
  readonly seed: number;
  /** The number of sessions with events. */
  readonly sessions: number;
  /** The percentage of requests that are refused, whatever they contain. */
  readonly refusedPercent: number;
  /** Is one refusal in three a 503 with `Retry-After`? */
  readonly asksToWait: boolean;
  /** The longest duration of a request; one in eight takes up to five times that. Ms. */
  readonly requestMsMax: number;
  /** The percentage of writes that fail: not done, done all the same, or done late. */
  readonly badWritePercent: number;
  /** False: a write that failed may be done late, as between several nodes. */
  readonly mayWriteAgain: boolean;
}

/** How a lane ends. */
export interface Life {
  /** Counts from 1. */
  readonly n: number;
  /** It is killed: nothing comes from it any more. */
  isKilled: boolean;
  /** It has no time for requests in progress. */
  isHurried: boolean;
  /** By session: the position of the last event that it has sent. */
  readonly lastSent: Map<string, number>;
}

/** The endpoint's last answer about an event. Times are ms since 1970. */
export interface Answer {
  /** Which life was answered, and when. */
  readonly life: number;
  readonly at: number;
  /** The earliest time to send it again; infinite: the endpoint has accepted it. */
  readonly notBefore: number;
  /** Does every later life know this, too? */
  isKept: boolean;
}

/** Observers of events as they happen. */
export interface Watch {
  /** A request begins. */
  sends(world: LaneWorld, life: Life, event: StoredEvent): void;
  /** The disk stored what a lane has written. */
  keeps(world: LaneWorld, progress: DeliveryProgress): void;
}

export interface LaneWorld {
  readonly nature: Nature;
  readonly watch: Watch;
  readonly clock: ManualClock;
  /** An integer from 0 to `below` - 1. */
  readonly draw: (below: number) => number;
  /** All events ever written, each at its `seq` - 1; the positions of removed ones. */
  readonly log: StoredEvent[];
  readonly gone: Set<number>;
  /** The disk: the webhook, and its rows by position. */
  webhook: Webhook;
  readonly rows: Map<number, Outstanding>;
  /** The endpoint: until when it wants all requests to wait, and the sessions that it refuses. */
  busyUntil: number;
  readonly refused: Set<string>;
  /** Its last answer for each event, by position, to lives that counted then. */
  readonly answers: Map<number, Answer>;
  /** Positions of events that the endpoint is to get and has not accepted yet. */
  readonly undelivered: Set<number>;
  /** No further faults. */
  isWell: boolean;
  /** The life whose writes count. */
  life: Life;
  /**
   * Lanes that are notified of new events: the current one, and earlier ones that were not stopped.
   */
  readonly awake: Map<Life, Lane>;
  /** How many there were in total. */
  requests: number;
  reads: number;
}

/** Fewer than may wait, and attempts enough: so nothing is given up. */
const EVENTS_MAX = 900;
const RETRIES = 50;
const READ_MS_MAX = 200;
const WRITE_MS_MAX = 1_500;
const LATE_WRITE_MS_MAX = 3_000;
/**
 * The time of the next attempt is stored this long after the answer, however slow the disk is; ms.
 */
const STORED_MS = 5_000;
const RETRY_AFTER_SECONDS_MAX = 1_000;
/** Pause before a lane that ended by itself is replaced, ms. */
const REOPEN_MS = 1_000;

export function openLaneWorld(nature: Nature, watch: Watch): LaneWorld {
  const chance = makeSeededChance(nature.seed);
  const world: LaneWorld = {
    nature,
    watch,
    clock: makeManualClock(),
    draw: (below) => Math.floor(chance() * below),
    log: [],
    gone: new Set(),
    rows: new Map(),
    webhook: { ...WEBHOOK, epoch: 0 },
    busyUntil: 0,
    refused: new Set(),
    answers: new Map(),
    undelivered: new Set(),
    isWell: false,
    life: makeLife(0),
    awake: new Map(),
    requests: 0,
    reads: 0,
  };
  begin(world);
  return world;
}

/** Time passes, and everything happens when it is due. */
export async function pass({ clock }: LaneWorld, ms: number): Promise<void> {
  const end = clock.now() + ms;
  for (let at: number | null = clock.now(); at !== null && at <= end; at = clock.nextAt()) {
    clock.advance(at - clock.now());
    await setImmediate();
  }
  clock.advance(end - clock.now());
}

// The log.

/**
 * Writes events of a session, sometimes of another one or of none, and some without a subscription.
 */
export function emit(world: LaneWorld, session: string, count: number): void {
  const { log, draw } = world;
  for (let i = 0; i < count && log.length < EVENTS_MAX; i++) {
    const of = draw(10) > 0 ? session : draw(3) === 0 ? null : pickSession(world);
    emitOne(world, of, draw(6) === 0 ? 'move.made' : 'session.started');
  }
}

/** `move.made` is not subscribed to, all other types are. */
export function emitOne(world: LaneWorld, session: string | null, type: StoredEvent['type']): void {
  const { log, undelivered, awake } = world;
  const seq = log.length + 1;
  const about = { session, type, at: 0, data: '{}' };
  log.push({ seq, id: `evt_${seq}`, tenant: 'ten_a', mode: 'live', ...about });
  if (type !== 'move.made') undelivered.add(seq);
  for (const lane of awake.values()) lane.wake(seq);
}

export function pickSession({ draw, nature }: LaneWorld): string {
  return `ses_${draw(nature.sessions)}`;
}

/** A session is removed, with most of its events up to a position. */
export function loseEvents({ log, gone, undelivered, draw }: LaneWorld, of: string): void {
  const upTo = draw(2) === 0 ? log.length : draw(log.length + 1);
  for (const { seq, session } of log.slice(0, upTo)) {
    if (session !== of || draw(3) === 0) continue;
    gone.add(seq);
    undelivered.delete(seq);
  }
}

// Lives.

function makeLife(n: number): Life {
  return { n, isKilled: false, isHurried: false, lastSent: new Map() };
}

/** The next life continues from the disk. Writes of earlier lives are refused. */
function begin(world: LaneWorld): void {
  const life = makeLife(world.life.n + 1);
  world.life = life;
  world.webhook = { ...world.webhook, epoch: world.webhook.epoch + 1 };
  const rows = [...world.rows.values()].sort((a, b) => a.seq - b.seq);
  const lane = openLane(depsOf(world, life), world.webhook, rows, world.draw(2) === 0);
  world.awake.set(life, lane);
  lane.wake(world.log.length);
}

/** Another life, which knows what the one before it has surely stored. */
function succeed(world: LaneWorld, isOrderly = false): void {
  const { answers, life, clock, nature } = world;
  for (const answer of answers.values()) {
    if (answer.life !== life.n || nature.badWritePercent > 0) continue;
    // An accepted event may be sent once more unless the end was orderly.
    const isAccepted = answer.notBefore === Number.POSITIVE_INFINITY;
    answer.isKept = isOrderly || (!isAccepted && clock.now() - answer.at > STORED_MS);
  }
  begin(world);
}

/** Starts nothing more. */
function retire({ life, awake }: LaneWorld): void {
  void awake.get(life)?.close();
  awake.delete(life);
}

/** Immediate replacement: requests in progress are lost. */
export function kill(world: LaneWorld): void {
  world.life.isKilled = true;
  world.awake.delete(world.life);
  succeed(world);
}

/** The next life begins beside the current one, which goes on when it is not stopped. */
export function handOver(world: LaneWorld, isTold: boolean): void {
  if (isTold) retire(world);
  succeed(world);
}

/** The next life begins when the current one has finished its requests, or given them up. */
export async function restart(world: LaneWorld, isHurried: boolean): Promise<void> {
  const { life, awake, clock } = world;
  const lane = awake.get(life);
  if (lane === undefined) return; // It has ended by itself: another will follow.
  awake.delete(life);
  life.isHurried = isHurried;
  let isClosed = false;
  void lane.close().then(() => {
    isClosed = true;
  });
  await setImmediate();
  while (!isClosed) await pass(world, (clock.nextAt() ?? clock.now()) - clock.now());
  succeed(world, true);
}

/** The tenant changes the address: all waiting events are due there, without a Retry-After. */
export function changeAddress(world: LaneWorld): void {
  retire(world);
  const { webhook, rows, answers } = world;
  world.webhook = { ...webhook, url: `https://${webhook.epoch}.example/`, failingSince: null };
  for (const [seq, row] of rows) rows.set(seq, { ...row, attempt: 0, nextAt: 0, notBefore: 0 });
  answers.clear();
  begin(world);
}

/** The tenant disables it, which drops outstanding events, and enables it again. */
export function switchOffAndOn(world: LaneWorld): void {
  retire(world);
  const { webhook, log, rows, answers, undelivered } = world;
  world.webhook = { ...webhook, failingSince: null, cursor: log.length };
  for (const each of [rows, answers, undelivered]) each.clear();
  begin(world);
}

// The dependencies of a lane.

function depsOf(world: LaneWorld, life: Life): LaneDeps {
  const { clock, draw, nature, awake } = world;
  return {
    store: {
      readEvents: (_, after, limit) => read(world, life, after, limit),
      recordProgress: (progress) => write(world, life, progress),
    },
    courier: {
      deliver: ({ url }, event) => request(world, life, url, event),
      deliverBody: async () => null,
    },
    clock,
    draw: () => draw(1_000) / 1_000,
    mayWriteAgain: nature.mayWriteAgain,
    share: makeFairShare(SHARE_LIMITS),
    retriesOf: async () => RETRIES,
    onError() {},
    stats: { delivered: 0, failed: 0, givenUp: 0 },
    onEnd() {
      awake.delete(life);
      clock.after(REOPEN_MS, () => void (world.life === life && succeed(world)));
    },
  };
}

/** The duration of an operation. For a life that is killed it never ends. */
async function spend({ clock }: LaneWorld, life: Life, ms: number): Promise<void> {
  if (ms > 0) await new Promise<void>((done) => void clock.after(ms, done));
  if (life.isKilled) await new Promise<never>(() => {});
}

async function read(
  world: LaneWorld,
  life: Life,
  after: number,
  limit: number,
): Promise<readonly StoredEvent[]> {
  world.reads += 1;
  await spend(world, life, world.draw(4) === 0 ? world.draw(READ_MS_MAX) : 0);
  const kept = world.log.slice(after).filter(({ seq }) => !world.gone.has(seq));
  return kept.slice(0, limit);
}

async function write(world: LaneWorld, life: Life, progress: DeliveryProgress): Promise<boolean> {
  const { draw, isWell, nature, clock } = world;
  const isBad = !isWell && draw(100) < nature.badWritePercent;
  await spend(world, life, draw(3) === 0 ? draw(WRITE_MS_MAX) : 0);
  if (!isBad) return keep(world, progress);
  const fate = (['lost', 'done', 'late'] as const)[draw(nature.mayWriteAgain ? 2 : 3)]!;
  if (fate === 'done') keep(world, progress);
  if (fate === 'late') clock.after(draw(LATE_WRITE_MS_MAX), () => void keep(world, progress));
  throw new Error(`the write failed: ${fate}`);
}

/** As a store does: all of it, or nothing if the webhook has another epoch. */
function keep(world: LaneWorld, progress: DeliveryProgress): boolean {
  const { webhook, rows, watch } = world;
  const { epoch, cursor, failingSince, settled, changed } = progress;
  if (epoch !== webhook.epoch) return false;
  world.webhook = { ...webhook, cursor: Math.max(webhook.cursor, cursor), failingSince };
  for (const seq of settled) rows.delete(seq);
  for (const row of changed) rows.set(row.seq, row);
  watch.keeps(world, progress);
  return true;
}

async function request(
  world: LaneWorld,
  life: Life,
  url: string,
  event: StoredEvent,
): Promise<SendResult | null> {
  const { draw, nature, undelivered } = world;
  await spend(world, life, 0);
  world.requests += 1;
  // Requests to an earlier address, or in progress to it, do not count.
  const counts = (): boolean => url === world.webhook.url;
  if (counts()) world.watch.sends(world, life, event);
  if (event.session !== null) life.lastSent.set(event.session, event.seq);
  await spend(world, life, draw(nature.requestMsMax * (draw(8) === 0 ? 5 : 1) + 1));
  if (life.isHurried) return null;
  if (isRefused(world, event)) return refuse(world, life, event);
  if (counts()) undelivered.delete(event.seq);
  const isAnswerLost = !world.isWell && draw(20) === 0;
  if (isAnswerLost) return { error: 'timeout' };
  tell(world, life, event, Number.POSITIVE_INFINITY);
  return { status: 204, retryAfter: null };
}

function isBusy({ busyUntil, clock }: LaneWorld): boolean {
  return clock.now() < busyUntil;
}

function isRefused(world: LaneWorld, { session }: StoredEvent): boolean {
  const { isWell, refused, draw, nature } = world;
  if (isWell) return false;
  return (
    isBusy(world) || (session !== null && refused.has(session)) || draw(100) < nature.refusedPercent
  );
}

function refuse(world: LaneWorld, life: Life, event: StoredEvent): SendResult {
  const { nature, draw, clock } = world;
  const asksToWait = isBusy(world) || (nature.asksToWait && draw(3) === 0);
  if (!asksToWait) return { status: 500, retryAfter: null };
  const seconds = 1 + draw(RETRY_AFTER_SECONDS_MAX);
  tell(world, life, event, clock.now() + seconds * 1_000);
  return { status: 503, retryAfter: String(seconds) };
}

function tell(world: LaneWorld, { n }: Life, { seq }: StoredEvent, notBefore: number): void {
  // Answers to other lives are not stored.
  if (n !== world.life.n) return;
  world.answers.set(seq, { life: n, at: world.clock.now(), notBefore, isKept: false });
}
