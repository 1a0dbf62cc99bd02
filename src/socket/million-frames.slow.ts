/**
 * A million frames over sockets of each subprotocol: nothing is thrown, no match changes, no memory
 * leaks. `MATCHD_TEST_FRAMES` sets another number.
 */

import { expect } from 'bun:test';
import fc from 'fast-check';
import { makeManualClock } from '../testing/manual-clock.ts';
import { makeSeededRandomness } from '../testing/seeded-randomness.ts';
import { spokenHere, test } from '../testing/sockets/both-protocols.ts';
import { type FakeSocket, openFakeSocket } from '../testing/sockets/fake-socket.ts';
import { openSocketWorld, type SocketWorld, until } from '../testing/sockets/socket-world.ts';
import { TEST_SEED } from '../testing/test-seed.ts';
import { arbitraryFrame, type Sent } from './any-frame.test-kit.ts';

const FRAMES = Number(process.env['MATCHD_TEST_FRAMES'] ?? 1_000_000);
/** Each random frame is sent unchanged, and with some of its characters changed. */
const MODELS = 20_000;
/** By then everything is compiled, and the heap has its size. */
const WARM_UP_FRAMES = 200_000;
const GROWTH_BYTES_MAX = 16 * 1_024 * 1_024;
const BETWEEN_FRAMES_MS = 60;
const BETWEEN_SOCKETS_MS = 200;
const TIMEOUT_MS = 30 * 60_000;
/** Replacements for a changed character. */
const CHARS = '[]{}",:0123456789.-+eE\\utnxs \u0000\u{fffd}';

interface Chance {
  below(n: number): number;
}

function makeChance(seed: number): Chance {
  const randomness = makeSeededRandomness(seed);
  let bytes = new DataView(new ArrayBuffer(0));
  let at = 0;
  return {
    below(n) {
      if (at >= bytes.byteLength) {
        bytes = new DataView(Uint8Array.from(randomness.bytes(4_096)).buffer);
        at = 0;
      }
      at += 4;
      return bytes.getUint32(at - 4) % n;
    },
  };
}

function changed(text: string, chance: Chance): string {
  let made = text;
  for (let left = chance.below(3); left > 0 && made.length > 0; left -= 1) {
    const at = chance.below(made.length);
    made = `${made.slice(0, at)}${CHARS[chance.below(CHARS.length)]}${made.slice(at + 1)}`;
  }
  return made;
}

/** Sends frames over sockets, opening a new one when one is closed; each reads all it is sent. */
async function pour(
  world: SocketWorld,
  open: () => FakeSocket,
  frames: number,
  next: () => Sent,
  pass: (ms: number) => void,
): Promise<void> {
  let socket = open();
  for (let sent = 0; sent < frames; sent += 1) {
    if (socket.closedWith !== null) {
      // It is gone a moment later, and an address may open only a few a second.
      await Bun.sleep(0);
      pass(BETWEEN_SOCKETS_MS);
      socket = open();
    }
    const frame = next();
    if (typeof frame === 'string') world.sockets.handlers.message(socket, frame);
    else world.sockets.handlers.binary(socket);
    socket.sent.length = 0;
    pass(BETWEEN_FRAMES_MS);
    if (sent % 500 === 0) await Bun.sleep(0);
  }
  socket.close(1000, '');
}

test(
  `[P5][P7][P12] ${FRAMES} random frames break nothing, change no match and leak no memory (seed ${TEST_SEED})`,
  async () => {
    const clock = makeManualClock();
    const world = await openSocketWorld({ clock });
    const issuer = await world.makeIssuer();
    const match = await world.startMatch(issuer, { game: 'connect4', options: { afk: false } });
    const before = await world.logOf(match.id);
    const models = fc.sample(arbitraryFrame(match.id, spokenHere()), {
      numRuns: MODELS,
      seed: TEST_SEED,
    });
    const chance = makeChance(TEST_SEED);
    const next = (): Sent => {
      const model = models[chance.below(models.length)]!;
      return typeof model === 'string' && chance.below(2) === 0 ? changed(model, chance) : model;
    };
    let opened = 0;
    const open = (): FakeSocket => {
      opened += 1;
      const watch = (): string => world.makeToken(issuer, { scope: 'watch', session: match.id });
      const lobby = (): string => world.lobbyToken(issuer, `stranger-${opened % 100}`);
      return openFakeSocket(world.sockets, [watch, lobby, () => null][opened % 3]!());
    };
    const run = (frames: number) => pour(world, open, frames, next, (ms) => clock.advance(ms));
    await run(WARM_UP_FRAMES);
    const heapBefore = heapBytes();
    await run(FRAMES);
    const growth = heapBytes() - heapBefore;
    await until(() => world.census.all.size === 2);
    expect(world.errors).toEqual([]);
    expect(await world.logOf(match.id)).toEqual(before);
    expect(growth).toBeLessThan(GROWTH_BYTES_MAX);
    console.log(
      `${spokenHere()}: ${opened} sockets, heap ${(growth / 1_024 / 1_024).toFixed(1)} MiB`,
    );
    await world.close();
  },
  TIMEOUT_MS,
);

function heapBytes(): number {
  Bun.gc(true);
  return process.memoryUsage().heapUsed;
}
