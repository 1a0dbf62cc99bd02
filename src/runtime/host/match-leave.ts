/** How a match leaves memory: because it is idle, or because another node may own it. The log has it. */

import { isHeld, type Loading, type Match, type MatchTable } from './match-table.ts';
import { answer, UNAVAILABLE, UNDONE } from './refusals.ts';
import { reloadLater } from './reloads.ts';
import type { Work, WorkResult } from './work.ts';

/** Unloads an idle match. */
export function evict(table: MatchTable, match: Match): void {
  if (isHeld(match)) remove(table, match, 'absent');
}

/** Another node may own it. Until a commit in progress is answered, the content of its log is unknown. */
export function releaseMatch(table: MatchTable, match: Match): void {
  if (!isHeld(match)) return;
  reloadLater(table, match.row.id);
  remove(table, match, match.phase === 'committing' ? 'leaving' : 'absent');
  dropClients(match);
}

/** Every session: other nodes may own them. A read in progress would return an old log. */
export function releaseAllMatches(table: MatchTable): void {
  for (const [id, each] of [...table.sessions]) {
    if (each.phase === 'loading') stopLoading(table, id, each);
    else releaseMatch(table, each);
  }
}

function stopLoading(table: MatchTable, id: string, { leaving, mailbox }: Loading): void {
  reloadLater(table, id);
  if (leaving?.phase === 'leaving') table.sessions.set(id, leaving);
  else table.sessions.delete(id);
  for (const work of mailbox.splice(0)) answer(work, UNDONE);
}

/** Memory may differ from the log: the next load reads it. No commit may be answered any more. */
export function abandon(
  table: MatchTable,
  match: Match,
  underWay: Work,
  result: WorkResult = UNAVAILABLE,
): void {
  reloadLater(table, match.row.id);
  evict(table, match);
  answer(underWay, result);
  dropClients(match);
}

/** The last commit of a dropped match is answered: its log may be read. */
export function noteLeft({ sessions }: MatchTable, match: Match): void {
  match.phase = 'absent';
  if (sessions.get(match.row.id) === match) sessions.delete(match.row.id);
  for (const read of match.whenAnswered.splice(0)) read();
}

function remove(table: MatchTable, match: Match, phase: 'leaving' | 'absent'): void {
  const { id } = match.row;
  table.alarms.clear(match);
  table.ticks.drop(match);
  match.phase = phase;
  if (phase === 'absent') table.sessions.delete(id);
  // For a match that is to return it still counts.
  if (!table.wanted.has(id)) table.seized.delete(id);
}

/** Refuses the waiting work; the subscribers attach again. */
function dropClients(match: Match): void {
  for (const work of match.mailbox.splice(0)) answer(work, UNDONE);
  const shown = match.subscribers;
  match.subscribers = [];
  for (const subscriber of shown) subscriber.lost();
}
