/** Acknowledged records survive server crashes and network failures. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { makeSeededRandomness } from '../../../testing/seeded-randomness.ts';
import { type CutLine, openCutLine } from '../../../testing/servers/cut-line.ts';
import {
  isPostgresHere,
  type PostgresServer,
  startPostgres,
} from '../../../testing/servers/postgres.ts';
import { TEST_SEED } from '../../../testing/test-seed.ts';
import { append, created, entryOf, kindOf, sessionId, sessionOf } from '../../contract/stage.ts';
import type { CommitOutcome, SessionChange } from '../../store.ts';
import { openPostgresStore, type PostgresStore } from '../postgres-store.ts';

setDefaultTimeout(60_000);

const SESSIONS = 60;
const ROUNDS = 3;
/** The longest time that the server lives in a round. Milliseconds. */
const LIFE_MS_MAX = 500;
const POLL_MS = 10;

/** A session played by one caller, and how far it is acknowledged. */
interface Played {
  readonly n: number;
  acknowledged: number;
  /** The last version that was attempted. */
  tried: number;
}

/** Appends, sometimes two records at once, until something fails. Returns that outcome. */
async function play(store: PostgresStore, played: Played): Promise<CommitOutcome> {
  const { n } = played;
  for (;;) {
    const v = played.acknowledged + 1;
    const entries = n % 3 === 0 ? [entryOf(v), entryOf(v + 1)] : [entryOf(v)];
    played.tried = entries.at(-1)!.v;
    const change: SessionChange | null = n % 2 === 0 ? { awake: true } : null;
    const outcome = await append(store, sessionId(n), entries, change);
    if (outcome !== 'committed') return outcome;
    played.acknowledged = played.tried;
  }
}

const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.skipIf(!isPostgresHere())('a PostgreSQL in trouble', () => {
  let server: PostgresServer;
  let url: string;
  let store: PostgresStore;
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
    store = await openPostgresStore({ url, node: 'nod_a' });
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  const logOf = async (n: number) => (await store.loadSession(sessionId(n)))!.entries;

  test(`[P4][STORE-PG1] killed ${ROUNDS} times at a random moment, the server has all acknowledged records (seed ${TEST_SEED})`, async () => {
    const chance = makeSeededRandomness(TEST_SEED);
    const all: Played[] = [];
    for (let n = 0; n < SESSIONS; n++) {
      await created(store, n);
      all.push({ n, acknowledged: 0, tried: 0 });
    }
    let resolved = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const playing = Promise.all(all.map((played) => play(store, played)));
      await rest((chance.bytes(1)[0]! / 255) * LIFE_MS_MAX);
      await server.kill();
      // Waiting callers get `unknown`, never `conflict`.
      expect(new Set(await playing)).toEqual(new Set(['unknown']));
      await server.restart();
      for (const played of all) {
        const log = await logOf(played.n);
        const last = log.at(-1)!.v;
        expect(log).toEqual(log.map((_, v) => (v === 0 ? log[0]! : entryOf(v))));
        expect([played.acknowledged, played.tried]).toContain(last);
        if (last > played.acknowledged) resolved += 1;
        played.acknowledged = last;
      }
    }
    const moves = all.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    expect(moves).toBeGreaterThan(SESSIONS);
    console.log(`${moves} records, ${resolved} of them committed without an answer`);
  });

  describe('over a line that fails', () => {
    let line: CutLine;
    let far: PostgresStore;
    beforeAll(async () => {
      line = await openCutLine(server.port);
      far = await openPostgresStore({ url: withPort(url, line.port), node: 'nod_far' });
    });
    afterAll(async () => {
      await far.close();
      line.close();
    });

    /** Loses the answer to a commit that contains `text`, or the commit itself. */
    async function lose<T>(
      text: string,
      fate: 'lost' | 'unanswered',
      act: () => Promise<T>,
      isThere: () => Promise<boolean>,
    ): Promise<T> {
      const sprung = line.trap(text, fate);
      const outcome = act();
      await sprung;
      while (fate === 'unanswered' && !(await isThere())) await rest(POLL_MS);
      line.cut();
      return await outcome;
    }

    for (const [name, change, text] of [
      ['a plain record', null, 'ses_'],
      ['a record with a change', { awake: true }, 'COMMIT'],
    ] as const) {
      test(`[STORE-PG2] ${name}, done and not answered: unknown; the log decides, and play continues`, async () => {
        const n = change === null ? 901 : 902;
        const id = await created(far, n);
        const outcome = await lose(
          text,
          'unanswered',
          () => append(far, id, [entryOf(1)], change),
          async () => (await logOf(n)).length === 2,
        );
        expect(outcome).toBe('unknown');
        expect((await far.loadSession(id))!.entries).toEqual([(await logOf(n))[0]!, entryOf(1)]);
        expect(await append(far, id, [entryOf(1)], change)).toBe('conflict');
        expect(await append(far, id, [entryOf(2)], change)).toBe('committed');
      });

      test(`[STORE-PG2] ${name} that never arrived: unknown, and the same may be retried`, async () => {
        const n = change === null ? 903 : 904;
        const id = await created(far, n);
        const act = () => append(far, id, [entryOf(1)], change);
        expect(await lose(text, 'lost', act, async () => true)).toBe('unknown');
        expect(await append(far, id, [entryOf(1)], change)).toBe('committed');
      });
    }

    test('[STORE-PG2] a create that was done and not answered rejects; the session exists once', async () => {
      const session = sessionOf(905, { quota: { openSessionsMax: 1_000 } });
      const outcome = lose(
        'COMMIT',
        'unanswered',
        () => far.createSession(session).catch((error: unknown) => String(error)),
        async () => (await store.loadSession(sessionId(905))) !== null,
      );
      expect(String(await outcome)).toContain('CommitUnknown');
      expect(
        kindOf(await far.createSession({ ...session, row: { ...session.row, id: 'ses_x' } })),
      ).toBe('room_code_taken');
    });
  });
});

function withPort(url: string, port: number): string {
  const moved = new URL(url);
  moved.port = String(port);
  return moved.href;
}
