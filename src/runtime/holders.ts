/** A session that comes here: who held it until then, and from when on nobody served it. */

import type { Session } from '../match/session.ts';
import type { StoredSession } from '../store/store.ts';
import type { MatchTable } from './match-table.ts';
import type { Work } from './work.ts';

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

/** Did another hold it until it came here? One that slept, and was claimed, nobody had to hold. */
export function isBereft(
  { bereft, claimed, deps }: MatchTable,
  { row, holder }: StoredSession,
): boolean {
  if (bereft.has(row.id)) return true;
  return holder !== null && !(holder === deps.node && claimed.has(row.id));
}

export function isForeign(table: MatchTable, session: Session): boolean {
  return session.status !== 'ended' && session.node !== table.deps.node;
}

/**
 * Until when its holder served it, ms since 1970, if that is another: he is dead, or cannot be reached, or has
 * been asked since for what he did not do.
 */
export async function heldUntil(
  { deps, seized }: MatchTable,
  { row, entries }: StoredSession,
): Promise<number | null> {
  let node = '';
  for (const { record } of entries) {
    if (record.k === 'created' || record.k === 'owned') node = record.node;
  }
  if (node === deps.node) return null;
  const askedFrom = seized.get(row.id) ?? Infinity;
  const until = Math.min((await deps.fellows?.heardAt(node)) ?? Infinity, askedFrom);
  return until === Infinity ? null : until;
}

/** Since when it has waited for anybody to look at it, ms since 1970; null where it was held, or is never due. */
export function dueFrom(
  { claimed, deps }: MatchTable,
  { row, wakeAt }: StoredSession,
): number | null {
  const due = claimed.get(row.id) ?? wakeAt ?? null;
  return due === null ? null : deps.downtimes.timeOf(due);
}

/**
 * The time since the owner before was last heard of is charged to nobody, if he held it until then; and the time
 * since it was due, if it slept.
 */
export function takeOver({ deps: { node } }: MatchTable, goneFrom: number | null): Work {
  const work: Work = { command: () => ({ kind: 'own', node }), done: () => undefined };
  return goneFrom === null ? work : { ...work, lostFrom: goneFrom };
}
