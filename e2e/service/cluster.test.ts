/** Three real processes on one PostgreSQL and one NATS: they act as one service, whichever node a player connects to. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import pg from 'pg';
import { makeRandom } from '../../game/src/random.ts';
import { findGame } from '../../src/games/registry.ts';
import { checkMatch } from '../../src/testing/matches/histories.ts';
import { isNatsHere, type NatsServers, startNats } from '../../src/testing/servers/nats.ts';
import {
  isPostgresHere,
  type PostgresServer,
  startPostgres,
} from '../../src/testing/servers/postgres.ts';
import { openSocket, type SocketClient } from '../../src/testing/sockets/socket-client.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { holdBar } from '../../src/testing/time-bar.ts';
import { anyShot } from '../parts/any-shot.ts';
import { type E2eFighter, openFighter } from '../parts/fighter.ts';
import { holdAt } from '../parts/hold-at.ts';
import { call } from '../parts/matches.ts';
import { openRandomPlayer, type RandomPlayer } from '../parts/random-player.ts';
import { freePort, type ServerProcess, startServer } from '../parts/server-process.ts';
import { makePlayer, type Player } from '../torture/player.ts';

const NODES = 3;
const TEST_MS_MAX = 120_000;
/** A player may see the end before the ack of the move that caused it. */
const LAST_ACKS_MS = 500;

/** Short variants of every game. */
const MATCHES = [
  { game: 'tictactoe' },
  { game: 'connect4' },
  { game: 'checkers' },
  { game: 'ludo', variant: 'quick' },
  { game: 'pool', options: { callPocket: 'none' } },
] as const;

interface Made {
  readonly sessionId: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly players: readonly { readonly id: string; readonly seat: number }[];
}

interface Replay {
  readonly result: { readonly reason: string };
  readonly inputs: readonly {
    readonly v: number;
    readonly seat: number;
    readonly action: unknown;
  }[];
}

let postgres: PostgresServer;
let nats: NatsServers;
let folder: string;
let env: Record<string, string>;
/** All running nodes. */
const nodes: ServerProcess[] = [];

async function startNode(): Promise<ServerProcess> {
  const node = await startServer({ port: await freePort(), dataDir: folder, env });
  nodes.push(node);
  return node;
}

async function endNode(node: ServerProcess, end: 'kill' | 'stop'): Promise<void> {
  nodes.splice(nodes.indexOf(node), 1);
  await node[end]();
}

/** The next node, so that the players of a match connect to different ones. */
function nodeAt(index: number): ServerProcess {
  return nodes[index % nodes.length]!;
}

function ask(node: ServerProcess, method: string, path: string, body?: object): Promise<unknown> {
  return call(node, method, path, body);
}

async function make(node: ServerProcess, request: object, players: readonly string[]) {
  const body = { ...request, players: players.map((id) => ({ id })) };
  return (await ask(node, 'POST', '/v1/sessions', body)) as Made;
}

async function verify(node: ServerProcess, session: string): Promise<void> {
  expect(await ask(node, 'POST', `/v1/sessions/${session}/verify`)).toMatchObject({ ok: true });
}

const isAvailable = isPostgresHere() && isNatsHere();

describe.skipIf(!isAvailable)('a cluster', () => {
  beforeAll(async () => {
    folder = makeTempFolder();
    postgres = await startPostgres();
    nats = await startNats(1);
    env = {
      MATCHD_STORE: await postgres.createDatabase(),
      MATCHD_BUS: nats.urls.join(','),
      MATCHD_SEALING_KEY: Buffer.alloc(32, 3).toString('base64'),
    };
    // The first node creates the tables and the demo tenant.
    for (let i = 0; i < NODES; i++) await startNode();
  }, TEST_MS_MAX);

  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    await nats?.stop();
    await postgres?.stop();
    if (folder !== undefined) removeFolder(folder);
  }, TEST_MS_MAX);

  test.each(MATCHES)(
    `[N1] players of $game on different nodes play to the end (seed ${TEST_SEED})`,
    async ({ game, ...options }) => {
      const random = makeRandom(`${TEST_SEED} ${game}`, () => 'cluster', 0);
      const made = await make(nodeAt(0), { game, ...options }, ['ann', 'bob']);
      const { sessionId: session } = made;
      const randomPlayers: RandomPlayer[] = [];
      for (const [index, { id, seat }] of made.players.entries()) {
        const port = Number(new URL(nodeAt(index + 1).url).port);
        const seatOptions = {
          port,
          token: made.tokens[id]!,
          session,
          seat,
          random,
          chooseFreely: anyShot,
        };
        // The match starts when the second player connects; the test must be ready before.
        randomPlayers.push(
          await openRandomPlayer({ ...seatOptions, ...(index === 0 && { entropy: 'salt' }) }),
        );
      }
      for (const { over } of randomPlayers) await over;
      for (const randomPlayer of randomPlayers) randomPlayer.close();
      await verify(nodeAt(2), session);
      const shown = (await ask(nodeAt(1), 'GET', `/v1/sessions/${session}`)) as {
        readonly status: string;
        readonly fairness: { readonly entropy: string };
      };
      expect(shown.status).toBe('ended');
      expect(shown.fairness.entropy).toContain('salt');
    },
    TEST_MS_MAX,
  );

  test(
    '[N1] two players on different nodes see the same fight',
    async () => {
      expect(findGame('fight-arena')).not.toBeNull();
      const options = { roundSeconds: 10, roundsToWin: 1 };
      const made = await make(nodeAt(0), { game: 'fight-arena', options }, ['ann', 'bob']);
      const { sessionId: session } = made;
      const fighters: E2eFighter[] = made.players.map(({ id }, index) =>
        openFighter({ url: nodeAt(index + 1).url, token: made.tokens[id]!, session, name: id }),
      );
      await Promise.all(fighters.map(({ done }) => done));
      for (const { player, close } of fighters) {
        expect(player.stats().desyncs).toBe(0);
        close();
      }
      await verify(nodeAt(1), session);
    },
    TEST_MS_MAX,
  );

  test(
    '[N7][S2] players in the queue on different nodes are matched',
    async () => {
      const names = Array.from({ length: 30 }, (_, i) => `seeker-${i}`);
      const made = (await Promise.all(
        names.map((id, index) =>
          ask(nodeAt(index), 'POST', '/v1/sessions', {
            game: 'connect4',
            matchType: 'matchmaking',
            players: [{ id }],
          }),
        ),
      )) as Made[];
      const sessions = new Set(made.map(({ sessionId }) => sessionId));
      expect(sessions.size).toBe(names.length / 2);
    },
    TEST_MS_MAX,
  );

  test.each([
    { where: 'the node that is asked', at: [0, 0] },
    { where: 'another node', at: [1, 1] },
    { where: 'a node each', at: [0, 1] },
  ])(
    '[M5][N1] groups with lobbies on $where start, and no player forfeits without a grace period',
    async ({ at }) => {
      const port = (node: ServerProcess): number => Number(new URL(node.url).port);
      const query = '?game=tictactoe';
      const hosted = async (path: string, body?: object) =>
        (await ask(nodeAt(0), 'POST', `/matchmaking/hosted/${path}`, body)) as {
          readonly [field: string]: string;
        } & { readonly group: { readonly id: string } };
      const groupIds: string[] = [];
      const lobbies: SocketClient[] = [];
      for (const [n, node] of at.map(nodeAt).entries()) {
        const playerId = `waits-${at.join('')}-${n}`;
        const issued = await ask(node, 'POST', `/v1/players/${playerId}/token`, {});
        const lobby = await openSocket(port(node), { token: (issued as { token: string }).token });
        await lobby.next('welcome');
        lobbies.push(lobby);
        const { ticketId } = await hosted(`ticket${query}`);
        await hosted(`ticket/${ticketId}/players${query}`, { playerId });
        groupIds.push((await hosted(`ticket/${ticketId}/promote${query}`)).group.id);
      }
      const options = { disconnectGraceMs: 0 };
      const asked = { groupIds, options };
      const { sessionId } = await hosted(`start-match${query}&requireConnected=true`, asked);
      for (const lobby of lobbies) await lobby.next('state');
      // Long enough for a match without connections to be ended.
      await Bun.sleep(2_000);
      const shown = await ask(nodeAt(2), 'GET', `/v1/sessions/${sessionId}`);
      expect(shown).toMatchObject({ status: 'active', result: null });
      for (const lobby of lobbies) await lobby.close();
    },
    TEST_MS_MAX,
  );

  test(
    `[N2] SIGKILL of the node that owns the matches loses no acknowledged move, and play continues (seed ${TEST_SEED})`,
    async () => {
      const owner = nodeAt(0);
      const under = await playMany(owner, 20, 'elsewhere');
      await Bun.sleep(1_000);
      const killedAt = performance.now();
      await endNode(owner, 'kill');
      await under.finish();
      const waits = waitsByMatch(under.acks, killedAt);
      const [p50, p99] = [0.5, 0.99].map((part) => waits[Math.floor((waits.length - 1) * part)]!);
      console.info(
        `SIGKILL: the next accepted move of ${waits.length} matches after ${p50} ms (p50), ${p99} ms (p99)`,
      );
      holdBar('SIGKILL: ms to the next accepted move, p50', p50!, 1_500);
      holdBar('SIGKILL: ms to the next accepted move, p99', p99!, 7_000);
      await startNode();
    },
    TEST_MS_MAX,
  );

  test(
    `[N5] SIGTERM of the node that owns the matches hardly delays players on other nodes (seed ${TEST_SEED})`,
    async () => {
      const owner = nodeAt(0);
      const under = await playMany(owner, 20, 'elsewhere');
      await Bun.sleep(1_000);
      const from = performance.now();
      await endNode(owner, 'stop');
      const stoppedMs = Math.round(performance.now() - from);
      await under.finish();
      const waits = under.acks
        .filter(({ at }) => at > from && at < from + 5_000)
        .map(({ at, sentAt }) => Math.round(at - sentAt))
        .sort((a, b) => b - a);
      console.info(`SIGTERM: stopped after ${stoppedMs} ms, longest waits ${waits.slice(0, 5)} ms`);
      holdBar('SIGTERM: ms that anybody elsewhere waits', waits[0]!, 500);
      await startNode();
    },
    TEST_MS_MAX,
  );

  test(
    `[N5] after SIGTERM of the players’ node they reconnect elsewhere, and the process exits (seed ${TEST_SEED})`,
    async () => {
      const owner = nodeAt(0);
      const under = await playMany(owner, 20, 'there');
      await Bun.sleep(1_000);
      const from = performance.now();
      await endNode(owner, 'stop');
      const stoppedMs = Math.round(performance.now() - from);
      await under.finish();
      const waits = waitsByMatch(under.acks, from);
      console.info(`SIGTERM: stopped after ${stoppedMs} ms, next moves ${waits.slice(-5)} ms`);
      // A node that waited for others would take half a minute.
      expect(stoppedMs).toBeLessThan(10_000);
      holdBar('SIGTERM: ms to the next accepted move, p50', waits[waits.length >> 1]!, 500);
      await startNode();
    },
    TEST_MS_MAX,
  );
});

/** An acknowledged move: when it was last sent, and when it was acknowledged. */
interface Ack {
  readonly match: number;
  readonly sentAt: number;
  readonly at: number;
}

/** How long each match paused: from a moment to its next move. Sorted, ms. */
function waitsByMatch(acks: readonly Ack[], from: number): number[] {
  const first = new Map<number, number>();
  for (const { match, at } of acks) {
    if (at > from && !first.has(match)) first.set(match, Math.round(at - from));
  }
  return [...first.values()].sort((a, b) => a - b);
}

/** How many nodes own the unfinished ones of these sessions. */
async function countHolders(sessions: readonly string[]): Promise<number> {
  const client = new pg.Client({ connectionString: env['MATCHD_STORE']! });
  await client.connect();
  const text = `SELECT DISTINCT holder FROM session WHERE id = ANY($1) AND status <> 'ended'`;
  const { rows } = await client.query(text, [sessions]);
  await client.end();
  return rows.length;
}

/** Matches owned by one node. Their players are all on other nodes, or start on the owner. */
async function playMany(owner: ServerProcess, count: number, where: 'elsewhere' | 'there') {
  const others = nodes.filter((node) => node !== owner);
  const placeOf = (index: number): string =>
    (where === 'there' && nodes.includes(owner) ? owner : others[index % others.length]!).url;
  const acks: Ack[] = [];
  const matches: { readonly id: string; readonly players: readonly Player[] }[] = [];
  const random = makeRandom(`${TEST_SEED} ${count}`, () => 'moves', 0);
  for (let i = 0; i < count; i++) {
    const made = await make(owner, { game: 'connect4' }, [`p${i}-0`, `p${i}-1`]);
    await holdAt(owner, made.tokens[`p${i}-0`]!);
    const players = made.players.map(({ id, seat }) =>
      makePlayer({
        url: () => placeOf(i + seat),
        token: made.tokens[id]!,
        seat,
        session: made.sessionId,
        thinkMs: 60,
        address: `10.9.${seat}.${i}`,
        choose: (options) => random.integer(options),
        onAck: (sentAt) => acks.push({ match: i, sentAt, at: performance.now() }),
      }),
    );
    matches.push({ id: made.sessionId, players });
  }
  expect(await countHolders(matches.map(({ id }) => id))).toBe(1);
  return {
    acks,
    async finish(): Promise<void> {
      await Promise.all(matches.flatMap(({ players }) => players.map(({ over }) => over)));
      await Bun.sleep(LAST_ACKS_MS);
      for (const { id, players } of matches) {
        const replay = (await ask(others[0]!, 'GET', `/v1/sessions/${id}/replay`)) as Replay;
        await verify(others[1]!, id);
        // No player waited until their time ran out.
        expect(replay.result.reason).not.toMatch(/timeout|disconnect/);
        const acked = players.flatMap((player) => player.acked);
        const shown = players.flatMap((player) => player.shown);
        expect(checkMatch({ session: id, acked, shown, isWhole: true }, replay.inputs)).toEqual([]);
        expect(players.map((player) => player.behind())).toEqual(players.map(() => 0));
        expect(players.flatMap(({ complaints }) => complaints)).toEqual([]);
        for (const player of players) player.close();
      }
    },
  };
}
