/** A server on PostgreSQL, and how the database or the line to it gets into trouble. */

import pg from 'pg';
import { ordinaryUser } from '../../src/testing/servers/child-server.ts';
import {
  isPostgresHere,
  type PostgresServer,
  setReadOnly,
  startPostgres,
} from '../../src/testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { type Line, openLine } from '../faults/line.ts';
import { freePort, startServer } from '../parts/server-process.ts';
import {
  type Kind,
  limitFiles,
  makePulses,
  NEEDS_LIMIT,
  type Place,
  type Pulses,
} from './place.ts';

/** How long a response is awaited. Milliseconds. */
const ANSWER_MS = 10_000;
/** How long a lock is awaited. Milliseconds. */
const LOCK_MS = 8_000;
/** A segment of the database's own log has this size from the start, so it can be written; no table grows beyond. */
const FILE_BYTES = 16 * 1_024 * 1_024;
/**
 * More than that, in the table of matches' logs. Small rows first, for the pages that others write to; of those that
 * follow four fill a page.
 */
const FILL = `INSERT INTO log (session, v, at, record)
  SELECT 'ses_filler', n, 0, repeat('x', CASE WHEN n <= 300 THEN 0 ELSE 1980 END)
  FROM generate_series(1, 9300) AS n`;
/** Takes what room is left in the pages that are there. */
const TOP_UP = `INSERT INTO log (session, v, at, record)
  SELECT 'ses_filler', max(v) + 1, 0, '' FROM log WHERE session = 'ses_filler'`;

interface PostgresPlace extends Place {
  readonly postgres: PostgresServer;
  /** From the server to its database. */
  readonly line: Line;
  /** Runs a statement as another program. */
  run(sql: string): Promise<void>;
  /** Nobody else can write what each node writes all the time. Readers do not notice. */
  lock(): Promise<void>;
  unlock(): Promise<void>;
  readonly pulses: Pulses;
}

const AWAY = { trouble: 'away', reads: 'away', isCertain: false } as const;
/** The database says at once that it does not do it. */
const REFUSED = { reads: 'answered', isCertain: true, answerMsMax: 0, holdMsMin: 1_000 } as const;

export const POSTGRES: Kind<PostgresPlace> = {
  name: 'PostgreSQL',
  isHere: isPostgresHere,
  open: openPlace,
  ways: [
    {
      ...AWAY,
      name: 'the line is cut',
      answerMsMax: 0,
      holdMsMin: 1_000,
      begin: async ({ line }) => line.cut(),
      end: async ({ line }) => line.mend(),
    },
    {
      ...AWAY,
      name: 'the database is killed',
      answerMsMax: 0,
      holdMsMin: 500,
      begin: ({ postgres }) => postgres.kill(),
      end: ({ postgres }) => postgres.restart(),
    },
    {
      ...AWAY,
      name: 'nothing arrives',
      answerMsMax: ANSWER_MS,
      holdMsMin: 2_000,
      begin: async ({ line }) => line.hold(),
      end: async ({ line }) => line.mend(),
    },
    {
      trouble: 'away',
      name: 'another program has tables locked',
      reads: 'answered',
      isCertain: true,
      answerMsMax: LOCK_MS,
      holdMsMin: 1_500,
      begin: (place) => place.lock(),
      end: (place) => place.unlock(),
    },
    {
      ...REFUSED,
      trouble: 'read-only',
      reads: 'leased',
      name: 'it takes no writes, as a standby',
      begin: ({ postgres }) => setReadOnly(postgres, true),
      end: ({ postgres }) => setReadOnly(postgres, false),
    },
    {
      ...REFUSED,
      ...NEEDS_LIMIT,
      trouble: 'full',
      name: 'no table can grow',
      begin: fill,
      end: makeRoom,
    },
    {
      trouble: 'slow',
      name: 'another program locks tables again and again',
      reads: 'answered',
      isCertain: false,
      answerMsMax: ANSWER_MS,
      holdMsMin: 1_000,
      begin: ({ pulses }) => pulses.begin(),
      end: ({ pulses }) => pulses.end(),
    },
  ],
};

async function openPlace(): Promise<PostgresPlace> {
  const dataDir = makeTempFolder();
  const postgres = await startPostgres();
  const url = await postgres.createDatabase();
  const line = await openLine(postgres.port);
  const env = {
    MATCHD_STORE: url.replace(`:${postgres.port}/`, `:${line.port}/`),
    MATCHD_SEALING_KEY: Buffer.alloc(32, 3).toString('base64'),
  };
  const server = await startServer({ port: await freePort(), dataDir, env });
  let other: pg.Client | null = null;
  const run = async (sql: string): Promise<void> => {
    other ??= await connect(url, () => {
      other = null;
    });
    await other.query(sql);
  };
  const lock = () => run('BEGIN; LOCK TABLE log, node, revision IN EXCLUSIVE MODE');
  const unlock = () => run('ROLLBACK');
  return {
    server,
    postgres,
    line,
    run,
    lock,
    unlock,
    pulses: makePulses(lock, unlock),
    async close() {
      await other?.end();
      await server.kill();
      await line.close();
      await postgres.stop();
      removeFolder(dataDir);
    },
  };
}

/** `onGone`: the database was killed. */
async function connect(url: string, onGone: () => void): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', onGone);
  await client.connect();
  return client;
}

async function fill({ postgres, run }: PostgresPlace): Promise<void> {
  await run(FILL);
  // Each connection fills its own page: now all know how much space is in it.
  await run('VACUUM log');
  limit(postgres, FILE_BYTES);
  while (await run(TOP_UP).then(() => true, isNoRoom));
}

/** Later processes copy the settings of the first one. */
function limit(postgres: PostgresServer, bytes: number | null): void {
  limitFiles(postgres.pids()[0]!, bytes, ordinaryUser());
  for (const pid of postgres.pids()) limitFiles(pid, bytes, ordinaryUser());
}

async function makeRoom({ postgres, run }: PostgresPlace): Promise<void> {
  limit(postgres, null);
  await run("DELETE FROM log WHERE session = 'ses_filler'");
}

/** False for the expected error. */
function isNoRoom(error: unknown): false {
  if (String(error).includes('could not extend')) return false;
  throw error;
}
