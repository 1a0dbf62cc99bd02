/** One command sent at once by many sockets of its player, some with another action: it has one effect. */

import { describe, expect, test } from 'bun:test';
import { makeRandom, type Random } from '../../game/src/random.ts';
import { isNatsHere, startNats } from '../../src/testing/servers/nats.ts';
import { isPostgresHere, startPostgres } from '../../src/testing/servers/postgres.ts';
import {
  type FrameOf,
  openSocket,
  type SocketClient,
} from '../../src/testing/sockets/socket-client.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { call } from '../parts/matches.ts';
import { findNode, freePort, type ServerProcess, startServer } from '../parts/server-process.ts';

const TEST_MS_MAX = 180_000;
const MATCHES = 8;
/** Additional sockets of the player to move. */
const SENDERS = 4;
/** A command without an answer within this time gets none, because its socket was replaced. */
const ANSWER_MS_MAX = 5_000;
const CELLS = 9;

interface Place {
  readonly servers: readonly ServerProcess[];
  end(): Promise<void>;
}

interface Made {
  readonly sessionId: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly players: readonly { readonly id: string; readonly seat: number }[];
}

interface Replay {
  readonly result: object | null;
  readonly inputs: readonly {
    readonly v: number;
    readonly action: { readonly position: number };
  }[];
}

async function startOne(runtime: 'bun' | 'node'): Promise<Place> {
  const dataDir = makeTempFolder();
  const server = await startServer({ port: await freePort(), dataDir, runtime });
  return {
    servers: [server],
    async end() {
      await server.kill();
      removeFolder(dataDir);
    },
  };
}

async function startThree(): Promise<Place> {
  const dataDir = makeTempFolder();
  const postgres = await startPostgres();
  const nats = await startNats(1);
  const env = {
    MATCHD_STORE: await postgres.createDatabase(),
    MATCHD_BUS: nats.urls.join(','),
    MATCHD_SEALING_KEY: Buffer.alloc(32, 3).toString('base64'),
  };
  const servers: ServerProcess[] = [];
  for (let i = 0; i < 3; i++) {
    servers.push(await startServer({ port: await freePort(), dataDir, env }));
  }
  return {
    servers,
    async end() {
      await Promise.all(servers.map((each) => each.kill()));
      await nats.stop();
      await postgres.stop();
      removeFolder(dataDir);
    },
  };
}

const portOf = ({ url }: ServerProcess) => Number(new URL(url).port);

type Answer = FrameOf<'ack'> | FrameOf<'reject'>;

/** A socket's answer to the command; null if the socket was replaced first. */
async function sendAndReceive(socket: SocketClient, command: { readonly id: string }) {
  const receive = async (): Promise<Answer> => {
    await socket.next('state');
    socket.send(command);
    for (;;) {
      const frame = await socket.next('ack', 'reject');
      if (frame.id === command.id) return frame;
    }
  };
  const timeout = Bun.sleep(ANSWER_MS_MAX).then(() => null);
  return Promise.race([receive().catch(() => null), socket.closed.then(() => null), timeout]);
}

/** One match: several sockets send each move at once, with one id and up to two actions. */
async function playRace({ servers }: Place, match: number, random: Random): Promise<number> {
  const at = () => servers[random.integer(servers.length)]!;
  const players = [{ id: `ann${match}` }, { id: `bob${match}` }];
  const made = (await call(at(), 'POST', '/v1/sessions', { game: 'tictactoe', players })) as Made;
  const { sessionId: s, tokens } = made;
  const first = await Promise.all(
    players.map(async ({ id }) => openSocket(portOf(at()), { token: tokens[id]! })),
  );
  await Promise.all(first.map((socket) => socket.next('state')));
  const order = [...made.players].sort((a, b) => a.seat - b.seat).map(({ id }) => id);
  const taken: number[] = [];
  let answers = 0;
  for (let move = 0; move < CELLS; move++) {
    const free = [...Array(CELLS).keys()].filter((cell) => !taken.includes(cell));
    const positions = [free[0]!, free[random.integer(free.length)]!];
    const player = order[move % 2]!;
    const id = `move ${move}`;
    const received = await Promise.all(
      Array.from({ length: SENDERS }, async (_, line) => {
        const server = at();
        const position = positions[random.integer(2)]!;
        const token = line % 2 === 0 ? tokens[player]! : await lobbyToken(server, player);
        const socket = await openSocket(portOf(server), { token });
        const answer = await sendAndReceive(socket, {
          t: 'act',
          s,
          id,
          action: { position },
        } as { id: string });
        await socket.close();
        return { position, answer };
      }),
    );
    const acks = received.filter(({ answer }) => answer?.t === 'ack');
    const rejects = received.filter(({ answer }) => answer?.t === 'reject');
    answers += acks.length + rejects.length;
    const { inputs, result } = (await call(at(), 'GET', `/v1/sessions/${s}/replay`)) as Replay;
    expect(inputs.length).toBe(move + 1);
    const { v, action } = inputs[move]!;
    expect(positions).toContain(action.position);
    // All acknowledged sockets get one version and one action; the others get the error.
    for (const { position, answer } of acks) {
      expect([position, answer]).toMatchObject([action.position, { v }]);
    }
    for (const { position, answer } of rejects) {
      expect([position === action.position, answer]).toMatchObject([false, { code: 'id_reused' }]);
    }
    taken.push(action.position);
    if (result !== null) break;
  }
  for (const socket of first) await socket.close();
  expect(await call(at(), 'POST', `/v1/sessions/${s}/verify`)).toMatchObject({ ok: true });
  return answers;
}

async function lobbyToken(server: ServerProcess, player: string): Promise<string> {
  const path = `/v1/players/${player}/token`;
  return ((await call(server, 'POST', path, {})) as { token: string }).token;
}

const PLACES = [
  { place: 'one process on Bun', isAvailable: true, start: () => startOne('bun') },
  { place: 'one process on Node', isAvailable: findNode() !== null, start: () => startOne('node') },
  {
    place: 'three nodes on PostgreSQL',
    isAvailable: isPostgresHere() && isNatsHere(),
    start: startThree,
  },
];

describe('[P4] one id sent at once by many sockets', () => {
  for (const { place, isAvailable, start } of PLACES) {
    test.skipIf(!isAvailable)(
      `[P4][N7] has one effect and one version, on ${place} (seed ${TEST_SEED})`,
      async () => {
        const there = await start();
        try {
          const plays = Array.from({ length: MATCHES }, (_, match) =>
            playRace(
              there,
              match,
              makeRandom(`${TEST_SEED} ${match}`, () => 'races', 0),
            ),
          );
          const answers = (await Promise.all(plays)).reduce((sum, each) => sum + each, 0);
          console.log(JSON.stringify({ place, answers }));
          expect(answers).toBeGreaterThan(MATCHES * 5);
        } finally {
          await there.end();
        }
      },
      TEST_MS_MAX,
    );
  }
});
