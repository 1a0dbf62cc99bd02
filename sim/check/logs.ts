/** The invariants of every log, and of the frames shown from it. */

import { firstDeadline } from '../../src/match/deadline.ts';
import { foldEntry, gameOf } from '../../src/match/evolve.ts';
import { viewOf } from '../../src/match/frames/frames.ts';
import type { Entry } from '../../src/match/record.ts';
import type { Session } from '../../src/match/session.ts';
import { testSeals } from '../../src/testing/test-seals.ts';
import type { SavedSession, StoredData } from '../store/stored.ts';
import type { StoredRecord } from '../store/watch.ts';
import { simulatedGames } from '../world/games.ts';
import type { History, ShownViews } from './history.ts';

/** Checks every log of the database: I1 to I7, I17 and I18. */
export function checkLogs({ sessions }: StoredData, history: History): void {
  for (const kept of sessions.values()) {
    try {
      checkLog(kept, history);
      checkSeal(kept, history);
    } catch (error) {
      history.found(`I5: ${kept.row.id} cannot be followed: ${String(error)}`);
    }
  }
}

function checkLog({ row, log }: SavedSession, history: History): void {
  const { id } = row;
  const wrong = (rule: string, what: string): void => history.found(`${rule}: ${id} ${what}`);
  const views = history.views.get(id);
  const commands = new Set<string>();
  let session: Session | null = null;
  /** A turn was missed right before: the seat may be forfeited for it, as part of the same. */
  let isPart = false;
  for (const [index, kept] of log.entries()) {
    const entry = JSON.parse(kept.text) as Entry;
    if (entry.v !== index) wrong('I2', `has ${entry.v} in place ${index}`);
    if (session !== null && entry.at < session.at) wrong('I2', `goes back in time at ${index}`);
    if (session?.status === 'ended') wrong('I7', `goes on after its end with ${entry.record.k}`);
    const { record } = entry;
    if ('id' in record && record.id !== null) {
      const name = `${record.seat}/${record.id}`;
      if (commands.has(name)) wrong('I4', `took ${name} twice`);
      commands.add(name);
    }
    const early = session === null || isPart ? null : earliness(session, entry);
    isPart = record.k === 'missed';
    if (early !== null) wrong('I17', `${record.k} at ${index} is ${early} ms early`);
    const before: Session | null = session;
    session = foldEntry(simulatedGames.findPlayed, id, before, entry);
    checkOwner(before, session, kept, index, wrong);
    checkViews(session, views, wrong);
  }
  if (session !== null && session.status !== row.status) {
    wrong('I2', `is ${row.status} by its row and ${session.status} by its log`);
  }
}

/** I18: an ended session is unchanged since it was sealed, whoever was erased since. */
function checkSeal({ row, stored }: SavedSession, history: History): void {
  const { state, error } = testSeals.check(stored);
  if (state === (row.status === 'ended' ? 'sealed' : 'not_ended')) return;
  history.found(`I18: ${row.id} is ${row.status}, its seal ${state}: ${error ?? ''}`);
}

/** How much too early something at that time came, ms; null when it did not. */
function earliness(before: Session, { record, at }: Entry): number | null {
  const isOfTime =
    record.k === 'missed' ||
    (record.k === 'forfeited' && record.id === null && record.reason !== 'resignation') ||
    (record.k === 'ended' && record.outcome.reason === 'expired');
  if (!isOfTime) return null;
  const deadline = firstDeadline(before);
  if (deadline === null) return Infinity;
  return at < deadline.at ? deadline.at - at : null;
}

/** I3: epochs rise by one, and only an epoch's owner writes in it. */
function checkOwner(
  before: Session | null,
  after: Session,
  { by }: StoredRecord,
  v: number,
  wrong: (rule: string, what: string) => void,
): void {
  if (after.node !== by) wrong('I3', `has ${v} from ${by}, who does not own it: ${after.node}`);
  if (before === null || before.node === after.node) return;
  if (after.epoch !== before.epoch + 1)
    wrong('I3', `passes from ${before.epoch} to ${after.epoch}`);
}

/** I5: what was shown at a version follows from its log, for a viewer who may see it. */
function checkViews(
  session: Session,
  views: ShownViews | undefined,
  wrong: (rule: string, what: string) => void,
): void {
  const shown = views?.get(session.v);
  if (shown === undefined) return;
  const viewers = gameOf(session).openInformation ? [null] : [null, ...session.seats.keys()];
  const right = viewers.map((viewer) => JSON.stringify(viewOf(session, viewer) ?? null));
  for (const text of shown) {
    if (!right.includes(text)) wrong('I5', `was shown at ${session.v} as it was not`);
  }
}
