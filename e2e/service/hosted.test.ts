/** A backend whose server is killed during matchmaking: it repeats its calls, and every match is created once. */

import { expect, test } from 'bun:test';
import { openSocket, type SocketClient } from '../../src/testing/sockets/socket-client.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { freePort, type ServerProcess, startServer } from '../parts/server-process.ts';

/** About eight calls per pair stay below the plan's 600 a minute. */
const PAIRS = 40;
/** Enough for matches in every state. */
const KILLED_AFTER_STARTS = 12;
/** A pair starts after this many others, so that some are in progress on any machine. */
const BEGIN_LATE = 5;
const TEST_MS_MAX = 120_000;

/** The backend's knowledge of one match so far. */
interface Progress {
  readonly players: readonly [string, string];
  ticket: string | null;
  readonly added: string[];
  group: string | null;
  session: string | null;
}

interface Answer {
  readonly status: number;
  readonly json: Record<string, unknown>;
}

async function call(
  server: ServerProcess,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${server.testKey}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = (await response.json()) as Record<string, unknown>;
  if (response.status >= 300) throw new Error(`${path}: ${response.status} ${json['error']}`);
  return { status: response.status, json };
}

const hosted = (server: ServerProcess, path: string, body?: object) =>
  call(server, 'POST', `/matchmaking/hosted${path}?game=tictactoe`, body);

async function openLobby(server: ServerProcess, player: string, n: number): Promise<SocketClient> {
  const { json } = await call(server, 'POST', `/v1/players/${player}/token`, {});
  const headers = { 'x-forwarded-for': `10.1.0.${n % 8}` };
  const lobby = await openSocket(Number(new URL(server.url).port), {
    token: String(json['token']),
    headers,
  });
  await lobby.next('welcome');
  return lobby;
}

/** Performs the remaining steps, and records each when it is acknowledged. */
async function goOn(server: ServerProcess, progress: Progress): Promise<void> {
  progress.ticket ??= String((await hosted(server, '/ticket')).json['ticketId']);
  for (const playerId of progress.players) {
    if (progress.added.includes(playerId)) continue;
    await hosted(server, `/ticket/${progress.ticket}/players`, { playerId });
    progress.added.push(playerId);
  }
  if (progress.group === null) {
    const { group } = (await hosted(server, `/ticket/${progress.ticket}/promote`)).json;
    progress.group = (group as { id: string }).id;
  }
  const started = await hosted(server, '/start-match', { groupIds: [progress.group] });
  progress.session ??= String(started.json['sessionId']);
  expect(String(started.json['sessionId'])).toBe(progress.session);
}

/** Checks that everything acknowledged is stored. */
async function checkStored(server: ServerProcess, progress: Progress): Promise<void> {
  if (progress.ticket === null) return;
  const path = `/matchmaking/hosted/ticket/${progress.ticket}?game=tictactoe`;
  const { json } = await call(server, 'GET', path);
  const players = (json['players'] as { id: string }[]).map(({ id }) => id);
  expect(players).toEqual(expect.arrayContaining([...progress.added]));
  expect(new Set(players).size).toBe(players.length);
  if (progress.group !== null) expect(json['groupId']).toBe(progress.group);
  if (progress.session !== null) expect(json['sessionId']).toBe(progress.session);
}

test(
  `[M6][M5] SIGKILL during ${PAIRS} hosted matches loses nothing acknowledged, and each match starts once`,
  async () => {
    const dataDir = makeTempFolder();
    const port = await freePort();
    let server = await startServer({ port, dataDir });
    try {
      const pairs = Array.from(
        { length: PAIRS },
        (_, n): Progress => ({
          players: [`a${n}`, `b${n}`],
          ticket: null,
          added: [],
          group: null,
          session: null,
        }),
      );
      const players = pairs.flatMap((pair) => [...pair.players]);
      const connectAll = () => Promise.all(players.map((each, n) => openLobby(server, each, n)));
      await connectAll();
      const killed = Promise.withResolvers<void>();
      const work = pairs.map(async (progress, n) => {
        // The first pairs are far ahead of the last, which only begin as the server is killed.
        if (n < PAIRS - BEGIN_LATE) await Bun.sleep(n * 3);
        else await killed.promise;
        await goOn(server, progress).catch(() => undefined);
        const starts = pairs.filter(({ session }) => session !== null).length;
        if (starts >= KILLED_AFTER_STARTS) killed.resolve();
      });
      await killed.promise;
      await server.kill();
      await Promise.all(work);
      expect(pairs.some(({ session }) => session === null)).toBe(true);

      server = await startServer({ port, dataDir });
      for (const progress of pairs) await checkStored(server, progress);
      const lobbies = await connectAll();
      await Promise.all(pairs.map((progress) => goOn(server, progress)));
      const sessions = new Set(pairs.map(({ session }) => session));
      expect(sessions.size).toBe(PAIRS);
      const listed = await call(server, 'GET', '/v1/sessions?limit=100');
      const rows = listed.json['data'] as { sessionId: string; status: string }[];
      // A ticket whose response was lost is empty and waits; no match was started twice.
      expect(new Set(rows.map(({ sessionId }) => sessionId))).toEqual(sessions as Set<string>);
      expect(rows).toHaveLength(PAIRS);
      for (const [n, lobby] of lobbies.entries()) {
        const session = pairs[n >> 1]!.session;
        const isThere = lobby.frames.some((frame) => frame.t === 'state' && frame.s === session);
        if (!isThere) expect(await lobby.next('state')).toMatchObject({ s: session! });
      }
      expect(await server.stop()).toBe(0);
    } finally {
      await server.kill();
      removeFolder(dataDir);
    }
  },
  TEST_MS_MAX,
);
