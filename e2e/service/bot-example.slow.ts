/** The example of an external bot, run unchanged against the real server. */

import { expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { playAgainstBots, startKillableServer } from '../parts/bot-matches.ts';
import { call } from '../parts/matches.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/bot.mjs');
const TEST_MS_MAX = 60_000;

test(
  '[B3] examples/bot.mjs plays its matches, and continues after the server is killed',
  async () => {
    const server = await startKillableServer();
    const { url, testKey } = server.now();
    const bot = (await call(server.now(), 'POST', '/v1/bots', {
      game: 'connect4',
      name: 'Example',
      kind: 'external',
      weight: 1_000,
    })) as { id: string };
    const program = spawn('node', [EXAMPLE, url, testKey, bot.id], { stdio: 'ignore' });
    try {
      const matches = await Promise.all(
        Array.from({ length: 5 }, async (_, i) => {
          const players = [{ id: `human-${i}` }];
          const request = { game: 'connect4', matchType: 'private', players };
          const match = await playAgainstBots(server.now(), request, (count) => i % count, 50);
          await call(server.now(), 'POST', `/v1/sessions/${match.id}/bots`, { botId: bot.id });
          return match;
        }),
      );
      await Bun.sleep(300);
      await server.killAndStart();
      await Promise.all(matches.map(({ human }) => human.over));
      for (const { id, human } of matches) {
        human.close();
        expect(human.complaints).toEqual([]);
        const { result } = (await call(server.now(), 'GET', `/v1/sessions/${id}`)) as {
          result: { reason: string; moveCount: number };
        };
        expect(['four_in_a_row', 'board_full']).toContain(result.reason);
      }
    } finally {
      program.kill();
      await server.close();
    }
  },
  TEST_MS_MAX,
);
