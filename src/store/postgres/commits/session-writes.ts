/** Writes to sessions, on separate lanes: many share a batch, and those of one session stay in order. */

import { COMMIT } from '../../scripts/sessions/commits.ts';
import { CREATE_SESSION } from '../../scripts/sessions/creates.ts';
import { SLEEP, type Sleeper } from '../../scripts/sessions/sleeping.ts';
import { toLogRows } from '../../scripts/shared/log-rows.ts';
import type { OnBatch } from '../../shared/batches.ts';
import type { CommitOutcome, CreateOutcome, NewSession, SessionStore } from '../../store.ts';
import type { Database, HeadListener } from '../connect/database.ts';
import { makeServerFaults, type ServerFaults } from '../connect/server-faults.ts';
import { appendMoves, type CommitWork } from './commits.ts';
import { callSafely, makeLanes, makeTurns } from './lanes.ts';
import { doTogether, type Work } from './together.ts';

/** Parallel batches: of plain records, of changes, of new sessions. */
const MOVE_LANES = 3;
const CHANGE_LANES = 2;
const CREATE_LANES = 1;
/** The connections that all lanes need. */
export const LANES = MOVE_LANES + CHANGE_LANES + CREATE_LANES;
/** Items that make a full batch. */
const MOVES_MAX = 512;
const CHANGES_MAX = 256;
const CREATES_MAX = 256;
/** Fewer than these wait for the running batch, or for this long. Milliseconds. */
const MOVES_TOGETHER = { batchMin: 16, waitMs: 8 } as const;
const CHANGES_TOGETHER = { batchMin: 8, waitMs: 8 } as const;
/** New sessions have one connection: they wait for it anyway. */
const CREATES_TOGETHER = { batchMin: 1, waitMs: 0 } as const;

export interface SessionTools {
  readonly db: Database;
  readonly onHead: HeadListener;
  readonly onBatch?: OnBatch | undefined;
}

/** A session to put to sleep. */
type SleepWork = Work<Sleeper, null>;
type CreateWork = Work<NewSession, CreateOutcome>;

/** With `settled`, which resolves when nothing is running, and `isFailing` of `ServerFaults`. */
export function makeSessionWrites({ db, onHead, onBatch }: SessionTools) {
  const turns = makeTurns();
  const faults = makeServerFaults();
  const tools = { onBatch, faults };
  const moves = makeLanes<CommitWork>(turns, {
    lanes: MOVE_LANES,
    batchMax: MOVES_MAX,
    ...MOVES_TOGETHER,
    work: (works) => observed(tools, works, appendMoves(db, onHead, works)),
  });
  const changes = makeLanes<CommitWork | SleepWork>(turns, {
    lanes: CHANGE_LANES,
    batchMax: CHANGES_MAX,
    ...CHANGES_TOGETHER,
    work: (works) => observed(tools, works, change(db, works)),
  });
  const creates = makeLanes<CreateWork>(turns, {
    lanes: CREATE_LANES,
    batchMax: CREATES_MAX,
    ...CREATES_TOGETHER,
    work: (works) => observed(tools, works, doTogether(db, CREATE_SESSION, works)),
  });
  return {
    settled: turns.settled,
    isFailing: faults.isFailing,
    commit(ask, done: (outcome: CommitOutcome) => void) {
      const { session } = ask;
      // A record that cannot be serialized is refused here and does not fail a batch.
      const rows = toLogRows(session, ask.entries);
      const tell = callSafely(done);
      const failed = (error: unknown): void => {
        faults.note(error);
        tell('unknown');
      };
      const work = { session, ask, rows, done: tell, failed };
      if (ask.change === null) moves.push(work);
      else changes.push(work);
    },
    createSession: (ask) =>
      new Promise((done, reject) => {
        const failed = (error: unknown): void => {
          faults.note(error);
          reject(error);
        };
        // Throws if the record cannot be serialized.
        toLogRows(ask.row.id, [ask.entry]);
        creates.push({ session: ask.row.id, ask, done, failed });
      }),
    async sleep(sessions) {
      const each = sessions.map(
        (ask) =>
          new Promise<null>((done, failed) => changes.push({ session: ask.id, ask, done, failed })),
      );
      await Promise.all(each);
    },
  } satisfies Partial<SessionStore> & {
    settled: () => Promise<void>;
    isFailing: () => boolean;
  };
}

/** Changes that concern more than a session's log. */
async function change(db: Database, works: readonly (CommitWork | SleepWork)[]): Promise<void> {
  const sleeps = works.filter((each): each is SleepWork => !('rows' in each));
  const commits = works.filter((each): each is CommitWork => 'rows' in each);
  if (sleeps.length > 0) await doTogether(db, SLEEP, sleeps);
  if (commits.length > 0) await doTogether(db, COMMIT, commits);
}

async function observed(
  { onBatch, faults }: Pick<SessionTools, 'onBatch'> & { readonly faults: ServerFaults },
  works: readonly (CommitWork | SleepWork | CreateWork)[],
  work: Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  await work;
  faults.settle(startedAt);
  const traces = works.flatMap(({ ask }) => ('trace' in ask ? (ask.trace ?? []) : []));
  onBatch?.({ size: works.length, startedAt, endedAt: performance.now(), traces });
}
