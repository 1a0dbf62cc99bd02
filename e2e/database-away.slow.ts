/** The real server on a PostgreSQL that is gone for seconds, takes no writes, or stands still. */

import { describe, expect, test } from 'bun:test';
import {
  isPostgresHere,
  type PostgresServer,
  setReadOnly,
  signalPostgres,
  startPostgres,
} from '../src/testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../src/testing/temp-folder.ts';
import { freePort, startServer } from './server-process.ts';
import { makeTurnMatch, openSocket } from './turn-matches.ts';

const TURN_MS = 5_000;
const TEST_MS_MAX = 60_000;

interface Frame {
  readonly t: string;
  readonly status?: string;
  readonly code?: string;
}

/** Begins it, which may take a while, and ends it. */
const AWAY = {
  killed: [(postgres: PostgresServer) => postgres.kill(), (postgres) => postgres.restart()],
  'read-only': [
    async (postgres: PostgresServer) => {
      await setReadOnly(postgres, true);
      await Bun.sleep(3_500);
    },
    (postgres) => setReadOnly(postgres, false),
  ],
  frozen: [
    async (postgres: PostgresServer) => {
      signalPostgres(postgres, 'SIGSTOP');
      await Bun.sleep(3_500);
    },
    async (postgres) => signalPostgres(postgres, 'SIGCONT'),
  ],
} satisfies Record<string, ((postgres: PostgresServer) => Promise<void>)[]>;

describe.skipIf(!isPostgresHere())('a database that is away', () => {
  test.each(['killed', 'read-only', 'frozen'] as const)(
    '[P6] a move that was sent in time counts when it is back, though the turn would be over by then (%s)',
    async (how) => {
      const [leave, comeBack] = AWAY[how];
      const postgres = await startPostgres();
      const dataDir = makeTempFolder();
      const env = {
        MATCHD_STORE: await postgres.createDatabase(),
        MATCHD_SEALING_KEY: Buffer.alloc(32, 3).toString('base64'),
      };
      const server = await startServer({ port: await freePort(), dataDir, env });
      const made = await makeTurnMatch(server, ['a', 'b'], { turnTimeoutMs: TURN_MS });
      const frames: Frame[] = [];
      let isOver = false;
      const move = { t: 'act', s: made.sessionId, id: 'm1', action: { position: 4 } };
      const sockets: WebSocket[] = [];
      /** Like any client: it comes back when its socket closes, and repeats what was not acknowledged. */
      const connect = (player: string, isMoving: () => boolean): void => {
        const socket = openSocket(server.url, made.tokens[player]!);
        sockets.push(socket);
        const say = (): void => {
          if (socket.readyState === 1 && isMoving()) socket.send(JSON.stringify(move));
        };
        socket.onopen = say;
        socket.onmessage = ({ data }) => {
          const frame = JSON.parse(String(data)) as Frame;
          frames.push(frame);
          if (frame.t === 'reject') setTimeout(say, 300);
        };
        socket.onclose = () => void (isOver || setTimeout(() => connect(player, isMoving), 300));
      };
      const isThere = (kind: string): boolean => frames.some(({ t }) => t === kind);
      let isMoving = false;
      connect('a', () => isMoving && !isThere('ack'));
      connect('b', () => false);
      while (!frames.some(({ status }) => status === 'active')) await Bun.sleep(50);
      // With its recovery it is away for longer than what is left of the turn, and for less than a lease.
      await Bun.sleep(2_500);
      const left = leave!(postgres);
      await Bun.sleep(100);
      isMoving = true;
      sockets[0]!.send(JSON.stringify(move));
      await left;
      await comeBack!(postgres);
      for (let n = 0; n < 100 && !isThere('ack') && !isThere('over'); n++) await Bun.sleep(100);
      isOver = true;
      const log = server.log();
      await server.kill();
      await postgres.stop();
      removeFolder(dataDir);
      expect(
        frames.map(({ t }) => t),
        log,
      ).toContain('ack');
      expect(frames.map(({ t }) => t)).not.toContain('over');
    },
    TEST_MS_MAX,
  );
});
