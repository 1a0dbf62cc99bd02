/**
 * What a tenant and its players see of a store that is away, read-only, full or slow: one test for both databases,
 * with a real server on a real database (rules F4, H3, P4, P6).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Asked, type Asker, makeAsker } from './asker.ts';
import type { Kind, Place, Way } from './place.ts';
import { type Player, type Players, startMatch } from './players.ts';

export interface SuiteOptions {
  /** Each trouble lasts so long, or as long as it has to. Milliseconds. */
  readonly holdMs: number;
  readonly turnMs: number;
}

/** `/readyz` answers within so long (rule F4). Milliseconds. */
const READY_MS = 1_000;
/** What an answer takes besides, on a busy machine. Milliseconds. */
const SLACK_MS = 1_200;
/** A slow store takes longer than that for a write. Milliseconds. */
const SLOW_MS = 800;
/** All goes on within so long after it. Milliseconds. */
const BACK_MS_MAX = 5_000;
/** Between two tries of a client. Milliseconds. */
const AGAIN_MS = 200;
const TEST_MS_MAX = 60_000;
/** More than the checks ask for within a second, so that a node has leased as much of the plan's window (rule N20). */
const LEASED = 12;

/** Registers the suite. */
export function storeTroubleSuite<P extends Place>(kind: Kind<P>, options: SuiteOptions): void {
  describe(kind.name, () => {
    let place: P;
    beforeAll(async () => {
      place = await kind.open();
    }, TEST_MS_MAX);
    afterAll(async () => place?.close());
    for (const way of kind.ways) {
      const title = `[F4][H3][P4][P6] ${way.trouble}: ${way.name}; nothing is lost, done twice or late`;
      test(title, () => goThrough(place, way, options), TEST_MS_MAX);
    }
  });
}

async function goThrough<P extends Place>(
  place: P,
  way: Way<P>,
  { holdMs, turnMs }: SuiteOptions,
): Promise<void> {
  const { server } = place;
  const [played, idle] = [await startMatch(server, turnMs), await startMatch(server, turnMs)];
  const asker = makeAsker(server);
  for (let n = 0; n < LEASED; n++) await asker.get(`/v1/sessions/${played.session}`);
  try {
    const asked = await hold(place, way, holdMs, { asker, played, idle });
    await checkReady(asker);
    checkReads(way, await asked.reads, asked.endedAt);
    await checkCreate(asker, way, await asked.create, asked.endedAt);
    await checkGoesOn(asker, played, idle);
    if (way.trouble === 'slow') checkWaited(played.first, asked.beganAt);
  } finally {
    played.close();
    idle.close();
  }
}

interface Stage {
  readonly asker: Asker;
  readonly played: Players;
  /** Nobody moves in it before the trouble is over. */
  readonly idle: Players;
}

/** What was asked for in the trouble, which may be answered after it. */
interface Underway {
  readonly beganAt: number;
  readonly endedAt: number;
  readonly create: Promise<Asked>;
  readonly reads: Promise<Reads>;
}

/** Goes into the trouble, asks for everything, and comes out of it. */
async function hold<P extends Place>(
  place: P,
  way: Way<P>,
  holdMs: number,
  { asker, played, idle }: Stage,
): Promise<Underway> {
  await way.begin(place);
  try {
    const beganAt = performance.now();
    played.first.move('m1', 4);
    const create = asker.create();
    const reads = readAll(asker, played.session);
    await Promise.all([checkHealth(asker), way.isReadable && reads]);
    // In a slow store the match goes on, and its turns run out.
    const forMs = way.trouble === 'slow' ? way.holdMsMin : Math.max(holdMs, way.holdMsMin);
    await Bun.sleep(beganAt + forMs - performance.now());
    if (way.trouble !== 'slow') checkNothingShown([played, idle]);
    return { beganAt, endedAt: performance.now(), create, reads };
  } finally {
    await way.end(place);
  }
}

// ── during ─────────────────────────────────────────────────────────────────────────────────────

interface Reads {
  /** Of a match in memory. */
  readonly held: Asked;
  readonly stored: readonly Asked[];
}

async function readAll({ get, verify }: Asker, session: string): Promise<Reads> {
  const [held, ...stored] = await Promise.all([
    get(`/v1/sessions/${session}`),
    get('/v1/sessions?limit=1'),
    get(`/v1/sessions/${session}/replay`),
    verify(session),
  ]);
  return { held, stored };
}

/** The process is well, and says within a second that it cannot serve; each answer is there in time. */
async function checkHealth({ get }: Asker): Promise<void> {
  const from = performance.now();
  for (;;) {
    const [health, ready] = await Promise.all([get('/healthz'), get('/readyz')]);
    expect(health.status).toBe(200);
    expect(health.ms).toBeLessThan(SLACK_MS);
    expect(ready.ms).toBeLessThan(READY_MS + SLACK_MS);
    if (ready.code === 'not_ready') return;
    expect(performance.now() - from).toBeLessThan(READY_MS);
    await Bun.sleep(50);
  }
}

/** What is shown is committed, and nothing is. Sockets stay. */
function checkNothingShown(matches: readonly Players[]): void {
  for (const { first, second } of matches) {
    for (const player of [first, second]) {
      expect(player.closed).toEqual([]);
      for (const kind of ['ack', 'update', 'over']) expect(player.has(kind)).toBe(false);
    }
  }
}

// ── after ──────────────────────────────────────────────────────────────────────────────────────

async function checkReady({ get }: Asker): Promise<void> {
  const from = performance.now();
  while ((await get('/readyz')).status !== 200) {
    expect(performance.now() - from).toBeLessThan(READY_MS + SLACK_MS);
    await Bun.sleep(50);
  }
}

function checkRefusal(way: Way<never>, { status, code, retryS, ms }: Asked): void {
  expect([status, code]).toEqual([503, 'unavailable']);
  expect(retryS).toBeGreaterThanOrEqual(1);
  expect(ms).toBeLessThan(way.answerMsMax + SLACK_MS);
}

/** Where the store cannot be read, an answer comes from memory, is a refusal, or came after the trouble. */
function checkReads(way: Way<never>, { held, stored }: Reads, endedAt: number): void {
  for (const read of [held, ...stored]) {
    const isGood = way.isReadable || read === held ? read.status === 200 : read.at >= endedAt;
    if (way.isReadable) expect([read.status, isGood]).toEqual([200, read.ms < SLACK_MS]);
    else if (!isGood) checkRefusal(way, read);
  }
}

/** Refused, with nothing that stays, or done; then done once, however often it is asked for. */
async function checkCreate(
  asker: Asker,
  way: Way<never>,
  first: Asked,
  endedAt: number,
): Promise<void> {
  const isSlow = way.trouble === 'slow';
  const isDone = isSlow || (first.status === 201 && first.at >= endedAt);
  if (isDone) expect(first.status).toBe(201);
  else checkRefusal(way, first);
  if (isSlow) expect(first.ms).toBeGreaterThan(SLOW_MS);
  if (way.isCertain && !isDone) expect(await asker.created()).toEqual([]);
  const again = await createAgain(asker);
  expect(again.status).toBe(201);
  if (isDone) expect(again.json.sessionId).toBe(first.json.sessionId);
  expect(await asker.created()).toEqual([again.json.sessionId]);
}

/** Like any client: while a 503 says when to try again. */
async function createAgain({ create }: Asker): Promise<Asked> {
  const from = performance.now();
  let asked = await create();
  while (asked.status === 503 && performance.now() - from < BACK_MS_MAX) {
    await Bun.sleep(AGAIN_MS);
    asked = await create();
  }
  return asked;
}

/** The move counts, its match goes on, and so does one that nobody asked anything of: with time to move. */
async function checkGoesOn(asker: Asker, played: Players, idle: Players): Promise<void> {
  await untilHas(played.first, 'ack', 'm1');
  played.second.move('m2', 0);
  await untilHas(played.second, 'ack', 'm2');
  await untilShown(
    played.first,
    played.second.frames.find(({ t, id }) => t === 'ack' && id === 'm2')!.v!,
  );
  idle.first.move('m1', 8);
  await untilHas(idle.first, 'ack', 'm1');
  for (const { first, second } of [played, idle]) {
    for (const player of [first, second]) {
      expect(player.closed).toEqual([]);
      expect(player.has('over')).toBe(false);
      for (const { t, code } of player.frames) if (t === 'reject') expect(code).toBe('unavailable');
    }
  }
  await checkLog(asker, played.session, [4, 0]);
  await checkLog(asker, idle.session, [8]);
}

async function untilHas(player: Player, kind: string, id: string): Promise<void> {
  await until(() => player.has(kind, id) || player.has('over'));
  expect(player.frames.map(({ t }) => t)).toContain(kind);
}

/** By an `update`, or by a whole `state` where the socket had to be shown the match anew. */
async function untilShown({ frames }: Player, v: number): Promise<void> {
  const isShown = () => frames.some((frame) => 'view' in frame && frame.v! >= v);
  await until(isShown);
  expect(isShown()).toBe(true);
}

async function until(what: () => boolean): Promise<void> {
  const from = performance.now();
  while (!what() && performance.now() - from < BACK_MS_MAX) await Bun.sleep(10);
}

async function checkLog(
  asker: Asker,
  session: string,
  positions: readonly number[],
): Promise<void> {
  const replay = await asker.get(`/v1/sessions/${session}/replay`);
  const inputs = replay.json.inputs as { seat: number; action: { position: number } }[];
  expect(inputs.map(({ seat, action }) => [seat, action.position])).toEqual(
    positions.map((position, seat) => [seat, position]),
  );
  expect((await asker.verify(session)).json.ok).toBe(true);
}

/** A slow store's ack is late, and no reject came before it. */
function checkWaited({ frames }: Player, from: number): void {
  expect(frames.map(({ t }) => t)).not.toContain('reject');
  const ack = frames.find(({ t }) => t === 'ack')!;
  expect(ack.came - from).toBeGreaterThan(SLOW_MS);
}
