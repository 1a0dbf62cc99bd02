/** Expectations during a store's trouble, and after it. */

import { expect } from 'bun:test';
import type { Asked, Asker, Write } from './asker.ts';
import type { Way } from './place.ts';
import type { Player, Players } from './players.ts';

/** `/readyz` answers within this time (rule F4). Milliseconds. */
const READY_MS = 1_000;
/** The extra time of a response on a busy machine. Milliseconds. */
export const SLACK_MS = 1_200;
/** A slow store takes longer than that for a write. Milliseconds. */
const SLOW_MS = 800;
/** Everything continues within this time after it. Milliseconds. */
const BACK_MS_MAX = 5_000;
/** Between two attempts of a client. Milliseconds. */
const RETRY_MS = 200;

type AnyWay = Way<never>;

// ── during ─────────────────────────────────────────────────────────────────────────────────────

/**
 * The process is healthy, and reports within a second that it cannot serve; each response arrives
 * in time.
 */
export async function checkHealth({ get }: Asker): Promise<void> {
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

/**
 * Nothing uncommitted is shown, and nothing is committed. Sockets stay open, and new ones are not
 * welcomed.
 */
export function checkNothingShown(matches: readonly Players[], late: Player): void {
  for (const { first, second } of matches) {
    for (const player of [first, second]) {
      expect(player.closed).toEqual([]);
      for (const kind of ['ack', 'update', 'over']) expect(player.has(kind)).toBe(false);
    }
  }
  expect(late.frames).toEqual([]);
}

// ── after ──────────────────────────────────────────────────────────────────────────────────────

export async function checkReady({ get }: Asker): Promise<void> {
  const from = performance.now();
  while ((await get('/readyz')).status !== 200) {
    expect(performance.now() - from).toBeLessThan(READY_MS + SLACK_MS);
    await Bun.sleep(50);
  }
}

function checkRefusal(way: AnyWay, { status, code, retryS, ms }: Asked): void {
  expect([status, code]).toEqual([503, 'unavailable']);
  expect(retryS).toBeGreaterThanOrEqual(1);
  expect(ms).toBeLessThan(way.answerMsMax + SLACK_MS);
}

/** If the store cannot be read, a response is a refusal or came after the trouble. */
export function checkReads(way: AnyWay, reads: readonly Asked[], endedAt: number): void {
  for (const read of reads) {
    const mayBeGood = way.reads !== 'away' || read.at >= endedAt;
    if (way.reads === 'answered') expect([read.status, read.ms < SLACK_MS]).toEqual([200, true]);
    else if (read.status !== 200 || !mayBeGood) checkRefusal(way, read);
  }
}

/** Refused without any effect, or done; then done once, however often it is requested. */
export async function checkWrite(
  way: AnyWay,
  write: Write,
  first: Asked,
  endedAt: number,
): Promise<void> {
  const isSlow = way.trouble === 'slow';
  // A full database still accepts what fits into its free pages.
  const mayBeDone = way.trouble === 'full' || first.at >= endedAt;
  const isDone = isSlow || (first.status < 300 && mayBeDone);
  if (isSlow) expect([first.status < 300, first.ms > SLOW_MS]).toEqual([true, true]);
  else if (!isDone) checkRefusal(way, first);
  if (way.isCertain && !isDone) expect(await write.isDone()).toBe(false);
  const again = await sendAgain(write);
  expect(again.status).toBeLessThan(300);
  if (isDone)
    expect([again.status, again.json.sessionId]).toEqual([first.status, first.json.sessionId]);
  expect(await write.isDone()).toBe(true);
}

/** Like any client: while a 503 names the time to retry. */
async function sendAgain({ send }: Write): Promise<Asked> {
  const from = performance.now();
  let asked = await send();
  while (asked.status === 503 && performance.now() - from < BACK_MS_MAX) {
    await Bun.sleep(RETRY_MS);
    asked = await send();
  }
  return asked;
}

/** The move counts, its match continues, and so does an idle one, with time to move. */
export async function checkGoesOn(asker: Asker, played: Players, idle: Players): Promise<void> {
  await untilHas(played.first, 'ack', 'm1');
  played.second.move('m2', 0);
  await untilHas(played.second, 'ack', 'm2');
  await untilShown(played.first, played.second);
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

/**
 * A player who connects during the trouble is admitted by a waiting socket, or by the next after a
 * closed one.
 */
export async function checkLetIn({ has, closed }: Player): Promise<void> {
  await until(() => has('state'));
  expect([has('welcome'), has('state')]).toEqual([true, true]);
  expect(closed.filter((code) => code !== RESTARTING)).toEqual([]);
}

/** Come back. */
const RESTARTING = 1012;

async function untilHas(player: Player, kind: string, id: string): Promise<void> {
  await until(() => player.has(kind, id) || player.has('over'));
  expect(player.frames.map(({ t }) => t)).toContain(kind);
}

/**
 * The other player's last move: by an `update`, or by a whole `state` if the socket had to be shown
 * the match again.
 */
async function untilShown({ frames }: Player, other: Player): Promise<void> {
  const v = other.frames.findLast(({ t }) => t === 'ack')!.v!;
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
export function checkWaited({ frames }: Player, from: number): void {
  expect(frames.map(({ t }) => t)).not.toContain('reject');
  const ack = frames.find(({ t }) => t === 'ack')!;
  expect(ack.came - from).toBeGreaterThan(SLOW_MS);
}
