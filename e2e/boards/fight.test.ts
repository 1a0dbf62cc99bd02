/** Fight arena over real sockets: a bad connection, a killed server, and the state on each side at the end. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Json } from '../../game/src/game.ts';
import { hashJson } from '../../game/src/json.ts';
import type { FightState } from '../../src/games/fight-arena/state.ts';
import { shippedGames } from '../../src/games/registry.ts';
import { verifyReplay } from '../../src/match/replay/replay.ts';
import type { Replay } from '../../src/match/replay/replay-form.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import type { Delay, E2eFighter } from '../parts/fighter.ts';
import { NO_DELAY, openFighter } from '../parts/fighter.ts';
import { call } from '../parts/matches.ts';
import type { ServerProcess } from '../parts/server-process.ts';
import { findNode, freePort, startServer } from '../parts/server-process.ts';

const MATCHES = 10;
const TEST_MS_MAX = 180_000;
/** 120 ms round trip, up to 30 ms more, and stalls of 200 ms. */
const BAD_LINE: Delay = { latencyMs: 60, jitterMs: 15, stallMs: 200, stallsPerMille: 10 };

const dataDir = makeTempFolder();
let port = 0;
let server: ServerProcess;

beforeAll(async () => {
  port = await freePort();
  server = await startServer({ port, dataDir });
});

afterAll(async () => {
  await server.stop();
  removeFolder(dataDir);
});

interface Fight {
  readonly id: string;
  readonly fighters: readonly [E2eFighter, E2eFighter];
}

async function startFight(name: string, delay: Delay): Promise<Fight> {
  const players = [{ id: `${name} a` }, { id: `${name} b` }] as const;
  const made = (await call(server, 'POST', '/v1/sessions', {
    game: 'fight-arena',
    players,
    options: { roundSeconds: 10, roundsToWin: 1, disconnectGraceMs: 60_000 },
  })) as { readonly sessionId: string; readonly tokens: Record<string, string> };
  const open = (seat: 0 | 1): E2eFighter =>
    openFighter({
      url: server.url,
      token: made.tokens[players[seat].id]!,
      session: made.sessionId,
      name: `${TEST_SEED} ${name} ${seat}`,
      delay,
    });
  return { id: made.sessionId, fighters: [open(0), open(1)] };
}

/** Checks that both players have exactly the state of the replay, and that the replay verifies. */
async function checkEnd({ id, fighters }: Fight): Promise<void> {
  for (const { done } of fighters) await done;
  const replay = (await call(server, 'GET', `/v1/sessions/${id}/replay`)) as Replay;
  expect(verifyReplay(shippedGames, replay)).toMatchObject({ ok: true });
  expect(await call(server, 'POST', `/v1/sessions/${id}/verify`)).toMatchObject({ ok: true });
  expect(replay.result?.reason).toMatch(/^rounds_/);
  for (const { player, close } of fighters) {
    expect(hashJson(player.confirmed() as FightState as unknown as Json)).toBe(replay.hash!);
    expect(player.stats().desyncs).toBe(0);
    // After a restart the fight is at an earlier tick: nothing is sent until its state has arrived.
    expect(player.rejects).toEqual([]);
    close();
  }
}

test(
  `[P9] ten fights over a bad connection have the same result on all sides (seed ${TEST_SEED})`,
  async () => {
    const fights = await Promise.all(
      Array.from({ length: MATCHES }, (_, n) => startFight(`bad line ${n}`, BAD_LINE)),
    );
    for (const fight of fights) await checkEnd(fight);
    const all = fights.flatMap(({ fighters }) => fighters.map(({ player }) => player));
    const sum = (count: (player: E2eFighter['player']) => number): number =>
      all.reduce((total, player) => total + count(player), 0);
    const ticks = sum((player) => player.confirmed()!.tick);
    const figures = {
      seconds: Math.round(ticks / 60),
      rollbacks: sum((player) => player.stats().rollbacks),
      deepest: Math.max(...all.map((player) => player.stats().deepest)),
      replayed: sum((player) => player.stats().replayed),
      jumps: sum((player) => player.stats().jumps),
      refused: sum((player) => player.stats().refused),
      resyncs: sum((player) => player.stats().resyncs),
    };
    console.log('fights over a bad line', JSON.stringify(figures));
    expect(figures.rollbacks).toBeGreaterThan(figures.seconds);
    expect(figures.deepest).toBeLessThanOrEqual(15);
    expect(figures.jumps).toBeLessThan(figures.seconds);
    // A connection that stalls without breaking causes no request for a whole state.
    expect(figures.resyncs).toBe(0);
    expect(figures.refused / ticks).toBeLessThan(0.1);
  },
  TEST_MS_MAX,
);

/** Fights during which the service is killed: they continue from the end of the log. */
async function killMidway(runtime: 'bun' | 'node'): Promise<void> {
  const ids = [0, 1, 2].map((n) => `killed on ${runtime} ${n}`);
  const fights = await Promise.all(ids.map((id) => startFight(id, NO_DELAY)));
  const first = fights[0]!.fighters[0].player;
  while ((first.confirmed()?.tick ?? 0) < 150) await Bun.sleep(50);
  const committed = fights.map(({ fighters }) => fighters[0].player.committed());
  await server.kill();
  server = await startServer({ port, dataDir, runtime });
  for (const [n, fight] of fights.entries()) {
    await checkEnd(fight);
    for (const { reconnects, player } of fight.fighters) {
      expect(reconnects()).toBeGreaterThan(0);
      expect(player.confirmed()!.tick).toBeGreaterThan(committed[n]!);
    }
  }
}

test(
  `[P8][S7] SIGKILL during fights: they continue and end, and the replay verifies (seed ${TEST_SEED})`,
  () => killMidway('bun'),
  TEST_MS_MAX,
);

test.skipIf(findNode() === null)(
  `[P8][S7] SIGKILL during fights with a change of runtime to Node and back (seed ${TEST_SEED})`,
  async () => {
    await killMidway('node');
    await killMidway('node');
    await killMidway('bun');
  },
  TEST_MS_MAX,
);
