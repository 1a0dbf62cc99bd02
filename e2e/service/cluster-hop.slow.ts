/** The cost of a move across nodes: the same matches in parallel, with players on the owner and on another node. */

// @alone: it measures times, which parallel tests would stretch.

import { describe, test } from 'bun:test';
import { makeRandom } from '../../game/src/random.ts';
import { isNatsHere, startNats } from '../../src/testing/servers/nats.ts';
import { isPostgresHere, startPostgres } from '../../src/testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { holdBar, measuredFor } from '../../src/testing/time-bar.ts';
import { holdAt } from '../parts/hold-at.ts';
import { call } from '../parts/matches.ts';
import { freePort, type ServerProcess, startServer } from '../parts/server-process.ts';
import { makePlayer, type Player } from '../torture/player.ts';

const MATCHES = 30;
/** Per run of consecutive matches. The first run warms both nodes up and is discarded. */
const ROUNDS = measuredFor(5, 2);
const THINK_MS = 200;
/** The most that crossing nodes may add to a move at p99 (rule N1). Enforced on an idle machine only. */
const HOP_MS_MAX = 5;
const TEST_MS_MAX = 240_000;

interface Made {
  readonly sessionId: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly players: readonly { readonly id: string; readonly seat: number }[];
}

/** Plays matches that `owner` owns, with all players connected to `at`; returns the ack latencies, ms. */
async function playAll(owner: ServerProcess, at: ServerProcess, name: string): Promise<number[]> {
  const waits: number[] = [];
  const random = makeRandom(`${TEST_SEED} ${name}`, () => 'moves', 0);
  const players: Player[] = [];
  for (let i = 0; i < MATCHES; i++) {
    const ids = [`${name}${i}-0`, `${name}${i}-1`].map((id) => ({ id }));
    const body = { game: 'connect4', players: ids };
    const made = (await call(owner, 'POST', '/v1/sessions', body)) as Made;
    await holdAt(owner, made.tokens[ids[0]!.id]!);
    for (const { id, seat } of made.players) {
      players.push(
        makePlayer({
          url: at.url,
          token: made.tokens[id]!,
          session: made.sessionId,
          seat,
          thinkMs: THINK_MS,
          address: `10.${seat}.${name.length}.${i}`,
          choose: (count) => random.integer(count),
          onAck: (sentAt) => waits.push(performance.now() - sentAt),
        }),
      );
    }
  }
  await Promise.all(players.map(({ over }) => over));
  for (const player of players) player.close();
  return waits;
}

function part(waits: readonly number[], share: number): number {
  const sorted = [...waits].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)]!;
}

describe.skipIf(!(isPostgresHere() && isNatsHere()))('a hop between nodes', () => {
  test(
    `[N1] a move that crosses nodes takes hardly longer (seed ${TEST_SEED})`,
    async () => {
      const folder = makeTempFolder();
      const postgres = await startPostgres();
      const nats = await startNats(1);
      const env = {
        MATCHD_STORE: await postgres.createDatabase(),
        MATCHD_BUS: nats.urls.join(','),
        MATCHD_SEALING_KEY: Buffer.alloc(32, 3).toString('base64'),
      };
      const nodes: ServerProcess[] = [];
      try {
        for (let i = 0; i < 2; i++) {
          nodes.push(await startServer({ port: await freePort(), dataDir: folder, env }));
        }
        const [a, b] = nodes as [ServerProcess, ServerProcess];
        const near: number[] = [];
        const far: number[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          // Concurrently, so that other load on the machine affects both.
          const [onOwner, onOther] = await Promise.all([
            playAll(a, a, `near${round}`),
            playAll(a, b, `far${round}`),
          ]);
          if (round === 0) continue;
          near.push(...onOwner);
          far.push(...onOther);
        }
        const percentiles = (waits: readonly number[]): string =>
          [0.5, 0.9, 0.99].map((share) => part(waits, share).toFixed(1)).join(' / ');
        console.info(
          `acks of ${near.length} and ${far.length} moves, p50 / p90 / p99: ` +
            `on their node ${percentiles(near)} ms, from another ${percentiles(far)} ms`,
        );
        const addedMs = (share: number): number => part(far, share) - part(near, share);
        holdBar('ms that a hop adds, p50', addedMs(0.5), HOP_MS_MAX);
        holdBar('ms that a hop adds, p99', addedMs(0.99), HOP_MS_MAX);
      } finally {
        await Promise.all(nodes.map((node) => node.kill()));
        await nats.stop();
        await postgres.stop();
        removeFolder(folder);
      }
    },
    TEST_MS_MAX,
  );
});
