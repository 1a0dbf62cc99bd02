/** The queue of a real process that is killed: waiting players are still matched. */

import { expect, test } from 'bun:test';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { freePort, type ServerProcess, startServer } from '../parts/server-process.ts';

/** Three calls per player stay below the plan's 600 a minute. */
const PLAYERS = 160;
const ROUNDS = 3;
/** Long enough for some responses to arrive, and too short for all. */
const KILLED_AFTER = 40;
const TEST_MS_MAX = 120_000;

interface Answer {
  readonly status: number;
  readonly session: string;
}

async function create(server: ServerProcess, round: number, n: number): Promise<Answer> {
  const response = await fetch(`${server.url}/v1/sessions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.testKey}`,
      'content-type': 'application/json',
      // A client without a response retries, and gets the stored one.
      'idempotency-key': `${round}-${n}`,
    },
    body: JSON.stringify({ game: 'tictactoe', players: [{ id: `p${round}-${n}` }] }),
  });
  const json = (await response.json()) as { sessionId: string };
  return { status: response.status, session: json.sessionId };
}

async function playersOf(server: ServerProcess, session: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${server.testKey}` };
  const response = await fetch(`${server.url}/v1/sessions/${session}`, { headers });
  const json = (await response.json()) as { players: { id: string }[] };
  return json.players.map(({ id }) => id);
}

test(
  '[S2][S5] SIGKILL among 160 requests for a match gives each player one session, and all sessions are full',
  async () => {
    const dataDir = makeTempFolder();
    const port = await freePort();
    let server = await startServer({ port, dataDir });
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const answers = new Map<number, Answer>();
        const killed = Promise.withResolvers<void>();
        const calls = Array.from({ length: PLAYERS }, async (_, n) => {
          // No response: the process was gone.
          const answer = await create(server, round, n).catch(() => null);
          if (answer !== null) answers.set(n, answer);
          if (answers.size >= KILLED_AFTER) killed.resolve();
        });
        await Promise.race([killed.promise, Promise.all(calls)]);
        await server.kill();
        await Promise.all(calls);
        const before = answers.size;
        expect(before).toBeGreaterThanOrEqual(KILLED_AFTER);
        server = await startServer({ port, dataDir });
        for (let n = 0; n < PLAYERS; n++) {
          const again = await create(server, round, n);
          expect(again.status).toBe(201);
          // Responses from before the kill remain valid.
          if (answers.has(n)) expect(again).toEqual(answers.get(n)!);
          answers.set(n, again);
        }
        const sessions = [...new Set([...answers.values()].map(({ session }) => session))];
        expect(sessions.length).toBe(PLAYERS / 2);
        const seated = (await Promise.all(sessions.map((id) => playersOf(server, id)))).flat();
        expect(seated.length).toBe(PLAYERS);
        expect(new Set(seated).size).toBe(PLAYERS);
      }
    } finally {
      await server.kill();
      removeFolder(dataDir);
    }
  },
  TEST_MS_MAX,
);
