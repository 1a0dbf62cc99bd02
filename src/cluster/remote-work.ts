/**
 * Work for a session that another node owns. Work is a closure and cannot be sent: it is decided here, on the
 * stored log, and sent as data. The owner commits it if the session still has that version.
 */

import type { Games } from '../games/games.ts';
import { nextDeadline } from '../match/deadline.ts';
import type { Step } from '../match/decide.ts';
import { decide } from '../match/decide.ts';
import type { Session } from '../match/session.ts';
import { foldLog } from '../runtime/host/fold.ts';
import type { LocalHost } from '../runtime/host/match-host.ts';
import { UNAVAILABLE } from '../runtime/host/refusals.ts';
import type { MatchView, Work, WorkResult } from '../runtime/host/work.ts';
import type { Clock } from '../runtime/ports.ts';
import type { SessionChange, SessionRow, SessionStore, StoredSession } from '../store/store.ts';
import type { Edge } from './edge.ts';
import type { Ask } from './messages.ts';
import { type SessionRouter, toResult } from './session-router.ts';

export interface RemoteWorkDeps {
  readonly local: Pick<LocalHost, 'run'>;
  readonly edge: Pick<Edge, 'ask'>;
  readonly router: Pick<SessionRouter, 'route'>;
  readonly store: Pick<SessionStore, 'loadSession'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly games: Games;
}

/** An HTTP request waits no longer than this. Ms. */
const GIVE_UP_MS = 8_000;

/** Runs work where its session is owned, and calls its `done`. */
export async function runRemote(deps: RemoteWorkDeps, session: string, work: Work): Promise<void> {
  const { local, edge, router, store, clock, games } = deps;
  /** The version at which the owner was asked and did not answer: the work may be done by then. */
  let askedAt: number | null = null;
  const isDoubtful = (v: number): boolean => askedAt !== null && askedAt !== v;
  const result = await router.route<WorkResult>({
    session,
    claims: false,
    giveUpMs: GIVE_UP_MS,
    here: () =>
      new Promise((resolve) => {
        local.run(session, {
          ...work,
          command: (match) => (isDoubtful(match.session.v) ? UNAVAILABLE : work.command(match)),
          done(result) {
            resolve(result);
            return undefined;
          },
        });
      }),
    async there(owner) {
      const stored = await store.loadSession(session);
      if (stored === null) return { kind: 'not_found' };
      const planned = planWork(games, stored, work, clock.now());
      if (planned.kind === 'settled') return planned.result;
      const { v } = planned.ask;
      if (isDoubtful(v)) return UNAVAILABLE;
      const reply = await edge.ask(owner, session, planned.ask);
      if (reply.kind === 'lost') askedAt = v;
      const told = toResult(reply);
      return told.kind === 'done' ? planned.result : told;
    },
  });
  // The refusal may come from the work itself, done meanwhile.
  work.done(askedAt !== null && result.kind === 'rejected' ? UNAVAILABLE : result);
}

type Planned =
  /** The committed log says whether the work is done or refused. */
  | { readonly kind: 'settled'; readonly result: WorkResult }
  /** A request to the owner; `result` is the result of the work if the owner does it. */
  | { readonly kind: 'ask'; readonly ask: WorkAsk; readonly result: WorkResult };

type WorkAsk = Extract<Ask, { kind: 'work' }>;

/** `now` in ms since 1970. Throws what the work or the engine throws. */
function planWork(games: Games, stored: StoredSession, work: Work, now: number): Planned {
  const { row, roster, entries } = stored;
  const { session } = foldLog(games, row.id, entries);
  const view: MatchView = { row, roster, session };
  const command = work.command(view);
  if ('repeatOf' in command) return done(view, command.repeatOf);
  if ('code' in command) return { kind: 'settled', result: { kind: 'rejected', ...command } };
  // The owner applies expired deadlines: it alone knows what time was lost.
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
