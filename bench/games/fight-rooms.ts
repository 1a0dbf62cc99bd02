/**
 * Many fights in one process, without sockets: engine, runner, mailbox and the real SQLite store.
 * Prints how late ticks are played. `bun bench/games/fight-rooms.ts [rooms] [seconds]`
 */

import { join } from 'node:path';
import { makeMasher } from '../../src/games/fight-arena/fight.test-kit.ts';
import { makeRandom } from '../../src/games/random.ts';
import { makeSystemClock } from '../../src/runtime/system.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { ManualClock } from '../../src/testing/manual-clock.ts';
import { createSession, openWorld } from '../../src/testing/match-world.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { lateness, preciseNow, watchTicks } from './fight-lateness.ts';

const rooms = Number(process.argv[2] ?? 1_000);
const seconds = Number(process.argv[3] ?? 15);
const SEND_MS = 50;
/** Players' masks are there before their ticks are due. */
const AHEAD_TICKS = 18;

const folder = makeTempFolder();
const store = await openSqliteStore(join(folder, 'matchd.db'));
const world = await openWorld({ kept: store, clock: makeSystemClock() as ManualClock });
const { late, zeroAt: zeroOf, onFrame } = watchTicks();
const ids: string[] = [];
for (let n = 0; n < rooms; n += 1) {
  const id = `ses_${String(n).padStart(6, '0')}`;
  await createSession(world, id, { setup: { game: 'fight-arena' } });
  for (const seat of [0, 1]) {
    const send = (texts: readonly string[]): void => {
      if (seat === 0) for (const text of texts) onFrame(id, JSON.parse(text));
    };
    const subscriber = { viewer: seat, send, lost() {} };
    await new Promise<void>((done) => world.host.attach(id, subscriber, () => done()));
  }
  ids.push(id);
}
const chance = makeRandom('fight-rooms', () => '', 0);
/** Made ahead, so that players cost nothing while it is timed; no two rooms go alike. */
const HANDS = 64;
const HAND_TICKS = 6_000;
const hands = Array.from({ length: HANDS }, () =>
  Array.from({ length: HAND_TICKS }, makeMasher(chance)),
);
function pressed(room: number, seat: number, from: number, count: number): readonly number[] {
  const hand = hands[(room * 2 + seat) % HANDS]!;
  const at = (from + room * 7) % (HAND_TICKS - count);
  return hand.slice(at, at + count);
}
const sent = ids.map(() => 0);

/** A part of the rooms every few ms, so that not all players send at once. */
const PARTS = 10;
let part = 0;
const timer = setInterval(() => {
  part = (part + 1) % PARTS;
  const now = preciseNow();
  for (let n = part; n < rooms; n += PARTS) {
    const zeroAt = zeroOf.get(ids[n]!);
    if (zeroAt === undefined) continue;
    const target = Math.floor(((now - zeroAt) * 60) / 1_000) + AHEAD_TICKS;
    const count = Math.min(30, target - sent[n]!);
    if (count <= 0) continue;
    for (const seat of [0, 1] as const) {
      world.host.hold(ids[n]!, seat, sent[n]!, pressed(n, seat, sent[n]!, count));
    }
    sent[n]! += count;
  }
}, SEND_MS / PARTS);

await Bun.sleep(2_000);
late.length = 0;
const before = { ...world.host.stats };
const cpu = process.cpuUsage();
const from = performance.now();
await Bun.sleep(seconds * 1_000);
const took = (performance.now() - from) / 1_000;
const used = process.cpuUsage(cpu);
const { ticks, commits, filled, stalls } = world.host.stats;
console.log(
  JSON.stringify({
    rooms,
    seconds: Math.round(took),
    ticksPerRoom: Math.round(((ticks - before.ticks) / took / rooms) * 10) / 10,
    commitsPerSecond: Math.round((commits - before.commits) / took),
    stalls,
    filled,
    latenessMs: lateness(late),
    coresUsed: Math.round((used.user + used.system) / took / 1e4) / 100,
    memoryMb: Math.round(process.memoryUsage.rss() / 1e6),
  }),
);
clearInterval(timer);
await store.close();
removeFolder(folder);
process.exit(0);
