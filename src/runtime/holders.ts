/** A session that comes here: who held it until then, and from when on nobody served it. */

import type { Session } from '../match/session.ts';
import type { StoredSession } from '../store/store.ts';
import { forgetArrival, type Match, type MatchTable } from './match-table.ts';
import { STALL_MS } from './pulse.ts';
import { TICK, type Work } from './work.ts';

/** Has another node that lives taken it since it was looked for? Its row is as old as its log. */
export async function isElsewhere(
  table: MatchTable,
  { row, holder }: StoredSession,
): Promise<boolean> {
  const { fellows, node } = table.deps;
  const isSeized = table.seized.has(row.id);
  if (fellows === undefined || isSeized || (holder ?? node) === node) return false;
  return fellows.isElsewhere(row.id);
}

/** From when on nobody served a session that comes here, ms since 1970; null where that is not known, or somebody did. */
export async function unservedFrom(
  table: MatchTable,
  stored: StoredSession,
): Promise<number | null> {
  const owner = lastOwner(stored);
  if (isBereft(table, stored)) return heldUntil(table, stored, owner);
  return owner === table.deps.node ? null : dueFrom(table, stored);
}

/** Who held it by its log. */
function lastOwner({ entries }: StoredSession): string | null {
  let node: string | null = null;
  for (const { record } of entries) {
    if (record.k === 'created' || record.k === 'owned') ({ node } = record);
  }
  return node;
}

/**
 * Did another hold it until it came here? One that slept, and was claimed, nobody had to hold: it was taken from
 * nobody, also where the answer to the claim was lost.
 */
function isBereft(
  { bereft, claimed, deps }: MatchTable,
  { row, holder, takenFrom }: StoredSession,
): boolean {
  if (bereft.has(row.id)) return true;
  if (holder !== deps.node) return holder !== null;
  return !claimed.has(row.id) && takenFrom !== null;
}

/** So long at most a match that was made asleep has not begun for its players while nobody holds it. Ms. */
const UNHELD_MS = 10_000;

/**
 * From when on a match that was made asleep, as its players are on other nodes, waited for somebody to
 * hold it, ms since 1970; null for any other, and once somebody held it.
 */
export function unheldFrom(
  { deps }: MatchTable,
  { entries }: StoredSession,
  { status, seats, at }: Session,
): number | null {
  if (deps.fellows === undefined || status !== 'active') return null;
  const madeAt = entries[0]!.at;
  const isUntouched = entries.at(-1)!.record.k === 'started' && at === madeAt;
  const isAwaited = seats.some(({ connected }) => connected);
  const now = deps.clock.now();
  // Whoever comes at once was kept from nothing.
  const isLate = now - madeAt >= STALL_MS;
  return isLate && isUntouched && !isAwaited ? Math.max(madeAt, now - UNHELD_MS) : null;
}

function isForeign(table: MatchTable, session: Session): boolean {
  return session.status !== 'ended' && session.node !== table.deps.node;
}

/**
 * Until when its holder served it, ms since 1970, if that is another: he is dead, or cannot be reached, or has
 * been asked since for what he did not do.
 */
async function heldUntil(
  { deps, seized, bereft }: MatchTable,
  { row, holder, takenFrom }: StoredSession,
  owner: string | null,
): Promise<number | null> {
  // Its log may not know of him yet: he may have died before he could write that he holds it. Whom he took it
  // from, and who wrote last, is the one who served it last.
  const isUnwritten = takenFrom === owner && owner !== deps.node;
  const after = isUnwritten ? owner : bereft.get(row.id);
  // Where the answer was lost the row alone says whom this node took it from.
  const node = after ?? (holder === deps.node ? takenFrom : holder) ?? owner;
  if (node === null || node === deps.node) return null;
  const askedFrom = seized.get(row.id) ?? Infinity;
  const until = Math.min((await deps.fellows?.heardAt(node)) ?? Infinity, askedFrom);
  return until === Infinity ? null : until;
}

/** Since when it has waited for anybody to look at it, ms since 1970; null where it is never due. */
function dueFrom({ claimed, deps }: MatchTable, { row, wakeAt }: StoredSession): number | null {
  const due = claimed.get(row.id) ?? wakeAt ?? null;
  return due === null ? null : deps.downtimes.timeOf(due);
}

/**
 * What is done first in a session that came here. The time since the owner before was last heard of is charged
 * to nobody, if he held it until then; so is that since it was due, if it slept, or since it waited to be held.
 */
export function firstWork(
  table: MatchTable,
  { session, isBroken }: Match,
  { lostFrom, unheld }: { readonly lostFrom: number | null; readonly unheld: number | null },
): readonly Work[] {
  const { node } = table.deps;
  const from = Math.min(lostFrom ?? Infinity, unheld ?? Infinity);
  const isNew = isForeign(table, session) && !isBroken;
  if (!isNew && from === Infinity) {
    forgetArrival(table, session.id);
    return [];
  }
  const first: Work = {
    command: isNew ? () => ({ kind: 'own', node }) : TICK.command,
    // Until that is in the log, whoever reads it again has to know how it came.
    done(result) {
      if (result.kind === 'done') forgetArrival(table, session.id);
      return undefined;
    },
  };
  return [from === Infinity ? first : { ...first, lostFrom: from }];
}
