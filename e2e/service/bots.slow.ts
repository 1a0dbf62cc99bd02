/** Fifty concurrent matches against bots, with the process killed while they run. */

import { expect, test } from 'bun:test';
import { playAgainstBots, startKillableServer } from '../parts/bot-matches.ts';
import { call } from '../parts/matches.ts';

const MATCHES = 50;
const KILLS = 2;
const LEVELS = ['easy', 'medium', 'hard', 'perfect'];
const GAMES = ['connect4', 'tictactoe'];
const TEST_MS_MAX = 180_000;

/** A different column or cell each time: such a match lasts longer. */
function choosing(first: number): (count: number) => number {
  let turn = first;
  return (count) => {
    turn += 3;
    return turn % count;
  };
}

test(
  '[B4] SIGKILL in the middle of fifty matches against bots stalls none of them',
  async () => {
    const server = await startKillableServer();
    try {
      const matches = await Promise.all(
        Array.from({ length: MATCHES }, (_, i) => {
          const botDifficulty = LEVELS[i % LEVELS.length];
          const game = GAMES[i % 8 < 6 ? 0 : 1];
          const request = { game, mode: 'training', options: { botDifficulty } };
          return playAgainstBots(server.now(), request, choosing(i), 400);
        }),
      );
      for (let kill = 0; kill < KILLS; kill += 1) {
        await Bun.sleep(1_500);
        expect(matches.some(({ human }) => !human.isOver())).toBe(true);
        await server.killAndStart();
      }
      await Promise.all(matches.map(({ human }) => human.over));
      for (const { id, human } of matches) {
        human.close();
        // A move lost between two sockets is sent again after the second one's `welcome`.
        expect(human.complaints.filter((text) => !text.includes('Wait for welcome'))).toEqual([]);
        const { result } = (await call(server.now(), 'GET', `/v1/sessions/${id}`)) as {
          result: { reason: string };
        };
        // No player timed out, and no session was aborted.
        expect(['three_in_a_row', 'four_in_a_row', 'board_full']).toContain(result.reason);
        expect(await call(server.now(), 'POST', `/v1/sessions/${id}/verify`)).toMatchObject({
          ok: true,
        });
      }
      expect(server.now().log()).not.toContain('did not choose for itself');
    } finally {
      await server.close();
    }
  },
  TEST_MS_MAX,
);
