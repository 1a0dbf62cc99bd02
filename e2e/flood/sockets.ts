/** Malicious sockets: mutated frames, and rounds of sockets that never read. */

import { connect, type Socket } from 'node:net';
import { makeFrame, makeHandshake, OPCODE } from '../../src/platform/contract/raw-client.ts';
import type { Chance } from '../faults/chance.ts';

const SOCKETS_OF_A_ROUND = 20;
/** A player may connect once a second: with that many nobody connects too often. */
const PLAYERS = 1_000;
/** How much a socket may send at once before it is too fast. */
const FRAMES_OF_A_SOCKET = 60;
/** After that a socket that is still open is ended by this side. Milliseconds. */
const ROUND_MS = 3_000;
const PING = makeFrame(OPCODE.ping, 'x'.repeat(125));
const PINGS = Buffer.concat(Array<Buffer>(400).fill(PING));

/** Opens a socket with a token or (null) without, from its own address. */
function openSocket(url: URL, token: string | null, address: string): Socket {
  const protocol = token === null ? 'matchd.v1' : `matchd.v1, token.${token}`;
  const tcp = connect(Number(url.port), url.hostname);
  tcp.on('error', () => {});
  const headers = { 'sec-websocket-protocol': protocol, 'x-forwarded-for': address };
  tcp.write(makeHandshake({ path: '/v1/socket', headers }));
  return tcp;
}

function ended(tcp: Socket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => tcp.destroy(), ROUND_MS);
    tcp.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

export interface SocketWish {
  readonly url: URL;
  /** Makes a token for a player's lobby. */
  makeToken(player: string): Promise<string>;
  readonly chance: Chance;
}

/** Sends `count` mutated frames over sockets, opening a new one when one is closed. */
export async function floodFrames(
  { url, makeToken, chance }: SocketWish,
  { count, withinMs }: { readonly count: number; readonly withinMs: number },
  onSent: (sent: number) => void,
): Promise<number> {
  const deadline = performance.now() + withinMs;
  let sent = 0;
  let sockets = 0;
  const players = Array.from({ length: PLAYERS }, (_, n) => makeToken(`flood-${n}`));
  const tokens = await Promise.all(players);
  const work = async (): Promise<void> => {
    while (sent < count && performance.now() < deadline) {
      sockets += 1;
      const token = chance.below(8) === 0 ? null : tokens[sockets % PLAYERS]!;
      const tcp = openSocket(url, token, addressOf(sockets));
      const end = ended(tcp);
      tcp.once('data', () => {
        const frames = Array.from({ length: FRAMES_OF_A_SOCKET }, () => mutate(chance));
        tcp.end(Buffer.concat(frames));
      });
      tcp.resume();
      await end;
      sent += FRAMES_OF_A_SOCKET;
      onSent(sent);
    }
  };
  await Promise.all(Array.from({ length: SOCKETS_OF_A_ROUND }, work));
  return sent;
}

/** Twenty sockets of one address at a time that ping, and half of them ask, and read nothing; half have a token. */
export async function openUnread({ url, makeToken }: SocketWish, round: number): Promise<void> {
  const sockets = Array.from({ length: SOCKETS_OF_A_ROUND }, async (_, n) => {
    const token = n % 2 === 0 ? null : await makeToken(`unread-${n % 4}`);
    const tcp = openSocket(url, token, addressOf(round));
    tcp.pause();
    const end = ended(tcp);
    const asked = makeFrame(OPCODE.text, JSON.stringify({ t: 'ping', n: 1 }));
    const flood = n < SOCKETS_OF_A_ROUND / 2 ? PINGS : Buffer.concat([asked, PINGS]);
    const send = (): void => {
      while (!tcp.destroyed && tcp.write(flood));
      tcp.once('drain', send);
    };
    send();
    await end;
  });
  await Promise.all(sockets);
}

function addressOf(n: number): string {
  return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
}

const GOOD = [
  '{"t":"ping","n":1}',
  '{"t":"sync","s":"ses_none"}',
  '{"t":"hello","resume":{"x":0}}',
  '{"t":"act","s":"x","id":"1","action":{"column":3}}',
  '{"t":"resign","s":"x","id":"2"}',
];
const BAD = [
  '{"t":"ping","n":1e999}',
  'null',
  '',
  '{"t":"hello","token":"x"}',
  '['.repeat(4_000),
  '{"__proto__":{"t":"ping"}}',
  '\u{1f600}',
  'x'.repeat(20_000),
];

/** One of twenty closes its socket: those before it are read. */
function mutate(chance: Chance): Buffer {
  if (chance.below(20) > 0) return makeFrame(OPCODE.text, chance.pick(GOOD));
  const opcode = chance.pick([OPCODE.text, OPCODE.text, OPCODE.binary, OPCODE.ping]);
  const content = opcode === OPCODE.ping ? 'x' : chance.pick(BAD);
  const frame = makeFrame(opcode, content, chance.below(4) > 0);
  // One byte of its head at a time.
  if (chance.below(4) === 0) frame[chance.below(2)] = chance.below(256);
  return frame;
}
