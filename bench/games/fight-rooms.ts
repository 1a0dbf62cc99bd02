/**
 * Many fights in one process, without sockets: engine, runner, mailbox and the real SQLite store.
 * Prints in rounds how late ticks are played after they were due, and what that costs. What players
 * press is made beforehand; handing it in takes a call for each frame that a socket would bring.
 * `bun bench/games/fight-rooms.ts [rooms] [seconds a round] [rounds]`
 */

import { join } from 'node:path';
import { tickTime } from '../../game/src/tick-game.ts';
import { makeSystemClock } from '../../src/runtime/system.ts';
import type { TickRoom } from '../../src/runtime/ticks/room.ts';
import type { TickMatch } from '../../src/runtime/ticks/runner.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { ManualClock } from '../../src/testing/manual-clock.ts';
import { createSession, openWorld } from '../../src/testing/matches/match-world.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { RULES, startHands } from './fight-hands.ts';
import {
  hundredths,
  loadNow,
  makeSamples,
  preciseNow,
  spentNow,
  spentSince,
} from './fight-lateness.ts';

const rooms = Number(process.argv[2] ?? 1_000);
const seconds = Number(process.argv[3] ?? 15);
const rounds = Number(process.argv[4] ?? 3);

const WARM_MS = 5_000;
/** Sessions that are opened in one go. */
const OPEN_AT_ONCE = 20;

const lateness = makeSamples(rooms * 60 * (seconds + 1));
const folder = makeTempFolder();
const store = await openSqliteStore(join(folder, 'matchd.db'));
const world = await openWorld({ kept: store, clock: makeSystemClock() as ManualClock });

/** The rooms as they are opened; each reports every played tick. */
const playing = new Map<string, TickRoom>();
world.host.onRest((match) => {
  const { room } = match as typeof match & TickMatch;
  if (room === null || playing.get(match.session.id) === room) return;
  playing.set(match.session.id, room);
  const { feed, game } = room;
  const { add } = feed;
  feed.add = (masks, after) => {
    add(masks, after);
    lateness.add(preciseNow() - tickTime(RULES, room.zeroAt!, game.ticks.tickOf(after) - 1));
  };
});

const ids = Array.from({ length: rooms }, (_, n) => `ses_${String(n).padStart(6, '0')}`);
const stop = startHands(rooms, {
  zeroAt: (room) => playing.get(ids[room]!)?.zeroAt ?? null,
  send: ({ room, seat }, from, masks) => void world.host.hold(ids[room]!, seat, from, masks),
});

async function open(id: string): Promise<void> {
  const options = { roundSeconds: 99, roundsToWin: 3 };
  await createSession(world, id, { setup: { game: 'fight-arena', options } });
  for (const viewer of [0, 1]) {
    const subscriber = { viewer, player: null, send() {}, lost() {} };
    await new Promise<void>((done) => world.host.attach(id, subscriber, () => done()));
  }
}
for (let n = 0; n < rooms; n += OPEN_AT_ONCE) {
  await Promise.all(ids.slice(n, n + OPEN_AT_ONCE).map(open));
}
await Bun.sleep(WARM_MS);

for (let round = 0; round < rounds; round += 1) {
  lateness.take();
  const before = { ...world.host.stats };
  const spent = spentNow();
  const from = performance.now();
  await Bun.sleep(seconds * 1_000);
  const took = (performance.now() - from) / 1_000;
  const { ticks, commits, stalls } = world.host.stats;
  console.log(
    JSON.stringify({
      rooms,
      ticksPerRoom: hundredths((ticks - before.ticks) / took / rooms),
      commitsPerSecond: Math.round((commits - before.commits) / took),
      stalls: stalls - before.stalls,
      latenessMs: lateness.take(),
      spentMsPerSecond: spentSince(spent, spentNow(), took),
      load: loadNow(),
      memoryMb: Math.round(process.memoryUsage.rss() / 1e6),
    }),
  );
}
stop();
// Otherwise the rooms would keep committing, and the store never finish.
await world.host.drain();
await store.close();
removeFolder(folder);
process.exit(0);
