/**
 * Many fights on real sockets: the service is one process, and all players are another. Prints in
 * rounds how late ticks are when their frame arrives, the traffic of a room, and the cost of the
 * service. `bun bench/games/fight-sockets.ts [rooms] [seconds a round] [rounds]`
 */

import { call } from '../../e2e/parts/matches.ts';
import { freePort, startServer } from '../../e2e/parts/server-process.ts';
import { countTicks, tickTime } from '../../game/src/tick-game.ts';
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

const rooms = Number(process.argv[2] ?? 200);
const seconds = Number(process.argv[3] ?? 15);
const rounds = Number(process.argv[4] ?? 3);

const WARM_MS = 5_000;
/** Sessions that are opened in one go. */
const OPEN_AT_ONCE = 10;
/** A frame is text of less than 126 bytes behind 2 bytes, else behind 4; a client's has 4 more. */
const SHORT_BYTES_MAX = 125;

interface Room {
  readonly session: string;
  readonly sockets: WebSocket[];
  /** When tick 0 was due, ms since 1970; null while play is paused. */
  zeroAt: number | null;
}

interface Sent {
  frames: number;
  payload: number;
  wire: number;
}

interface Frame {
  readonly t: string;
  readonly from: number;
  readonly inputs: readonly (readonly number[])[];
  readonly ticks?: { readonly next: number; readonly at: string | null };
}

const open: Room[] = [];
const lateness = makeSamples(rooms * 30 * (seconds + 1));
const up: Sent = { frames: 0, payload: 0, wire: 0 };
const down: Sent = { frames: 0, payload: 0, wire: 0 };
let refusals = 0;

function count(sent: Sent, text: string, maskBytes: number): void {
  sent.frames += 1;
  sent.payload += text.length;
  sent.wire += text.length + (text.length > SHORT_BYTES_MAX ? 4 : 2) + maskBytes;
}

function receive(room: Room, seat: number, text: string): void {
  const now = preciseNow();
  const frame = JSON.parse(text) as Frame;
  if (frame.t === 'state' && frame.ticks !== undefined) {
    const { next, at } = frame.ticks;
    room.zeroAt = at === null ? null : Date.parse(at) - tickTime(RULES, 0, next);
  } else if (frame.t === 'over') room.zeroAt = null;
  else if (frame.t === 'reject') refusals += 1;
  else if (frame.t === 'ticks') {
    count(down, text, 0);
    const last = frame.from + countTicks(frame.inputs) - 1;
    if (seat === 0 && room.zeroAt !== null) {
      lateness.add(now - tickTime(RULES, room.zeroAt, last));
    }
  }
}

const folder = makeTempFolder();
const server = await startServer({ port: await freePort(), dataDir: folder });

async function openRoom(n: number): Promise<Room> {
  const players = [0, 1].map((seat) => ({ id: `player ${n} ${seat}` }));
  const options = { roundSeconds: 99, roundsToWin: 3 };
  const { sessionId, tokens } = (await call(server, 'POST', '/v1/sessions', {
    game: 'fight-arena',
    players,
    options,
  })) as { readonly sessionId: string; readonly tokens: Readonly<Record<string, string>> };
  const room: Room = { session: sessionId, sockets: [], zeroAt: null };
  for (const [seat, { id }] of players.entries()) {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/socket`, {
      protocols: ['matchd.v1', `token.${tokens[id]}`],
      headers: { 'X-Forwarded-For': `10.0.${n >> 6}.${n & 63}` },
      // Bun takes what browsers do not.
    } as never);
    socket.onmessage = ({ data }) => receive(room, seat, String(data));
    await new Promise((opened) => socket.addEventListener('open', opened));
    room.sockets.push(socket);
  }
  return room;
}

const stop = startHands(rooms, {
  zeroAt: (room) => open[room]?.zeroAt ?? null,
  send({ room, seat }, from, masks) {
    const { session, sockets } = open[room]!;
    const text = JSON.stringify({ t: 'in', s: session, from, masks });
    count(up, text, 4);
    sockets[seat]!.send(text);
  },
});
for (let n = 0; n < rooms; n += OPEN_AT_ONCE) {
  const those = Array.from({ length: Math.min(OPEN_AT_ONCE, rooms - n) }, (_, k) => n + k);
  open.push(...(await Promise.all(those.map(openRoom))));
}
await Bun.sleep(WARM_MS);

/** For a player, a second: there are two in a room. */
function perPlayer(before: Sent, after: Sent, took: number): object {
  const each = (value: number): number => value / took / (rooms * 2);
  return {
    frames: hundredths(each(after.frames - before.frames)),
    payloadKbit: hundredths(each(after.payload - before.payload) * 0.008),
    wireKbit: hundredths(each(after.wire - before.wire) * 0.008),
  };
}

for (let round = 0; round < rounds; round += 1) {
  lateness.take();
  const before = { up: { ...up }, down: { ...down } };
  const spent = spentNow(server.pid);
  const own = spentNow();
  const from = performance.now();
  await Bun.sleep(seconds * 1_000);
  const took = (performance.now() - from) / 1_000;
  console.log(
    JSON.stringify({
      rooms,
      playing: open.filter(({ zeroAt }) => zeroAt !== null).length,
      latenessMs: lateness.take(),
      up: perPlayer(before.up, up, took),
      down: perPlayer(before.down, down, took),
      refusals,
      serverMsPerSecond: spentSince(spent, spentNow(server.pid), took),
      driverMsPerSecond: spentSince(own, spentNow(), took),
      load: loadNow(),
    }),
  );
}
stop();
await server.kill();
removeFolder(folder);
process.exit(0);
