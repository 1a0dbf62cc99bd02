/**
 * Work for a session that another node holds. What it comes to is found here, on the log as it is
 * kept, and goes there as data; it is done if the session still has that version.
 */

import { nextDeadline } from '../match/deadline.ts';
import type { Step } from '../match/decide.ts';
import { decide } from '../match/decide.ts';
import type { Session } from '../match/session.ts';
import { foldLog } from '../runtime/fold.ts';
import type { MatchView, Work, WorkResult } from '../runtime/work.ts';
import type { SessionChange, SessionRow, StoredSession } from '../store/store.ts';
import type { Ask } from './messages.ts';

export type Planned =
  /** It is done, or refused, by what is committed. */
  | { readonly kind: 'settled'; readonly result: WorkResult }
  /** To be asked of the owner; `result` is what it comes to if it is done. */
  | { readonly kind: 'ask'; readonly ask: WorkAsk; readonly result: WorkResult };

type WorkAsk = Extract<Ask, { kind: 'work' }>;

/** `now` in ms since 1970. Throws what the work or the engine throws. */
export function planWork(stored: StoredSession, work: Work, now: number): Planned {
  const { row, roster, entries } = stored;
  const { session } = foldLog(row.id, entries);
  const view: MatchView = { row, roster, session };
  const command = work.command(view);
  if ('repeatOf' in command) return done(view, command.repeatOf);
  if ('code' in command) return { kind: 'settled', result: { kind: 'rejected', ...command } };
  // What has run out the owner says: it alone knows what time was lost.
  const unexpired = Math.min(now, (nextDeadline(session) ?? Infinity) - 1);
  const { steps, rejection } = decide(session, command, unexpired);
  if (rejection !== null) return { kind: 'settled', result: { kind: 'rejected', ...rejection } };
  if (steps.length === 0) return done(view, session.v);
  return plan(view, work, command, steps);
}

function done(match: MatchView, v: number): Planned {
  return { kind: 'settled', result: { kind: 'done', v, match } };
}

function plan(
  view: MatchView,
  work: Work,
  command: WorkAsk['command'],
  steps: readonly Step[],
): Planned {
  const { after } = steps.at(-1)!;
  const change = work.change?.(view, after) ?? null;
  const roster = work.roster?.(view, after) ?? null;
  const match: MatchView = {
    row: rowAfter(view.row, after, change),
    roster: roster ?? view.roster,
    session: after,
  };
  return {
    kind: 'ask',
    ask: { kind: 'work', v: view.session.v, command, change, roster },
    result: { kind: 'done', v: after.v, match },
  };
}

function rowAfter(row: SessionRow, after: Session, change: SessionChange | null): SessionRow {
  return {
    ...row,
    status: after.status,
    startedAt: after.status === 'pending' ? null : after.startedAt,
    endedAt: after.status === 'ended' ? after.endedAt : null,
    ...(change?.integrity === undefined ? null : { integrity: change.integrity }),
  };
}
