/**
 * What a tenant and its players see of a store that is unreachable, read-only, full or slow: one
 * test for both databases, with a real server on a real database.
 */

import { afterAll, beforeAll, describe, test } from 'bun:test';
import { type Asked, type Asker, makeAsker, type Write } from './asker.ts';
import {
  checkGoesOn,
  checkHealth,
  checkLetIn,
  checkNothingShown,
  checkReads,
  checkReady,
  checkWaited,
  checkWrite,
  SLACK_MS,
} from './checks.ts';
import type { Kind, Place, Way } from './place.ts';
import { makeMatch, type Player, type Players, startMatch, type Waiting } from './players.ts';

export interface SuiteOptions {
  /** The length of each trouble, plus the time of a response; 0: only until it is noticed. Milliseconds. */
  readonly holdMs: number;
  readonly turnMs: number;
}

const TEST_MS_MAX = 60_000;
/** Requests before the trouble: a node takes some more out of the plan's window than it needs (rule N20). */
const LEASED = 16;

/** Registers the suite. */
export function storeTroubleSuite<P extends Place>(kind: Kind<P>, options: SuiteOptions): void {
  describe.skipIf(!kind.isHere())(kind.name, () => {
    let place: P;
    beforeAll(async () => {
      place = await kind.open();
    }, TEST_MS_MAX);
    afterAll(async () => place?.close());
    for (const way of kind.ways) {
      const title = `[F4][H3][P4][P6] ${way.trouble}: ${way.name}; nothing is lost or done twice, and everything continues`;
      const isHere = way.needs === undefined || Bun.which(way.needs) !== null;
      test.skipIf(!isHere)(title, () => goThrough(place, way, options), TEST_MS_MAX);
    }
  });
}

interface Stage {
  readonly asker: Asker;
  readonly played: Players;
  /** Nobody moves in it before the trouble is over. */
  readonly idle: Players;
  /** Its player comes in the trouble. */
  readonly waiting: Waiting;
  /** One of each kind. */
  readonly writes: readonly Write[];
}

/** Requests made during the trouble, which may be answered after it. */
interface Underway {
  readonly beganAt: number;
  readonly endedAt: number;
  readonly late: Player;
  readonly written: readonly Promise<Asked>[];
  readonly reads: Promise<readonly Asked[]>;
}

async function goThrough<P extends Place>(
  place: P,
  way: Way<P>,
  { holdMs, turnMs }: SuiteOptions,
): Promise<void> {
  const { server } = place;
  const asker = makeAsker(server);
  const [played, idle] = [await startMatch(server, turnMs), await startMatch(server, turnMs)];
  const [waiting, doomed] = [await makeMatch(server, turnMs), await makeMatch(server, turnMs)];
  const writes = [asker.makeCreate(), asker.makeEnd(doomed.session), asker.makeWebhook()];
  for (let n = 0; n < LEASED; n++) await asker.get('/v1/sessions?limit=1');
  const open: { close(): void }[] = [played, idle];
  try {
    const stage = { asker, played, idle, waiting, writes };
    const { beganAt, endedAt, late, written, reads } = await hold(place, way, holdMs, stage);
    open.push(late);
    await checkReady(asker);
    checkReads(way, await reads, endedAt);
    for (const [i, write] of writes.entries()) {
      await checkWrite(way, write, await written[i]!, endedAt);
    }
    await checkGoesOn(asker, played, idle);
    await checkLetIn(late);
    if (way.trouble === 'slow') checkWaited(played.first, beganAt);
  } finally {
    for (const each of open) each.close();
  }
}

/** Goes into the trouble, asks for everything, and comes out of it. */
async function hold<P extends Place>(
  place: P,
  way: Way<P>,
  holdMs: number,
  { asker, played, idle, waiting, writes }: Stage,
): Promise<Underway> {
  await way.begin(place);
  try {
    const beganAt = performance.now();
    played.first.move('m1', 4);
    const written = writes.map(({ send }) => send());
    const reads = readAll(asker, played.session);
    const late = waiting.open(0);
    await Promise.all([checkHealth(asker), way.reads === 'answered' && reads]);
    await Bun.sleep(Math.max(0, beganAt + lengthOf(way, holdMs) - performance.now()));
    if (way.trouble !== 'slow') checkNothingShown([played, idle], late);
    return { beganAt, endedAt: performance.now(), late, written, reads };
  } finally {
    await way.end(place);
  }
}

/** How long a trouble lasts. Milliseconds. */
function lengthOf({ trouble, holdMsMin, answerMsMax }: Way<never>, holdMs: number): number {
  // With a slow store the match continues, and its turns time out.
  if (trouble === 'slow' || holdMs === 0) return holdMsMin;
  return Math.max(holdMs, holdMsMin, answerMsMax + SLACK_MS);
}

/** The store's contents. Of a match in memory more is known. */
function readAll({ get, verify }: Asker, session: string): Promise<readonly Asked[]> {
  return Promise.all([
    get('/v1/sessions?limit=1'),
    get(`/v1/sessions/${session}/replay`),
    verify(session),
  ]);
}
