/** Creates, joins, ends and returns sessions: the service behind the routes. */

import { setImmediate } from 'node:timers/promises';
import { makeReplay } from '../../match/replay/replay.ts';
import type { AnswerSearch, AuditRow, StoredSession } from '../../store/store.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import { foldLog, isSecret } from '../host/fold.ts';
import type { MatchView } from '../host/work.ts';
import { endSession, joinSession, leaveSession } from './change-session.ts';
import { createFilled, writeSession } from './create-session.ts';
import type { Erasures } from './erasures.ts';
import { makeErasures } from './erasures.ts';
import { exportPlayer, namePlayer } from './player-data.ts';
import { refuse } from './refuse.ts';
import { makeRematch } from './rematch.ts';
import type { SessionDeps, SessionParts } from './session-deps.ts';
import { findSession, isVisible } from './session-ref.ts';
import type { Outcome, SessionRef, SessionService } from './session-service.ts';
import { withSpan } from './session-span.ts';
import { verifyLog } from './verify-log.ts';

export function makeSessionService(
  given: SessionDeps,
  erasures: Erasures = makeErasures(),
): SessionService {
  const deps: SessionParts = { ...given, erasures };
  const forgetAnswersOf: SessionService['forgetAnswersOf'] = (...whom) =>
    deps.store.forgetAnswersOf(...whom, deps.clock.now());
  return {
    create: (request, keep) => createFilled(deps, request, keep),
    rematch: makeRematch({
      ...deps,
      get: (ref) => findSession(deps, ref),
      write: (request, keep, begun) => writeSession(deps, request, keep, begun),
    }),
    join: (request, keep) => joinSession(deps, request, keep),
    get: (ref) => findSession(deps, ref),
    async notifySeated(session) {
      const view = await deps.host.peek(session);
      if (view !== null) deps.host.notifySeated(view);
    },
    async list(query) {
      const rows = await deps.store.listSessions(withSpan(query));
      const views: MatchView[] = [];
      for (const { id } of rows) {
        const view = await deps.host.peek(id);
        if (view !== null) views.push(view);
        // Folding a sleeping session blocks, so other work runs in between.
        await setImmediate();
      }
      return views;
    },
    watchers: (session) => deps.host.watchers(session),
    leave: (ref, leaving) => leaveSession(deps, ref, leaving),
    end: (ref, keep, audit) => endSession(deps, ref, keep, audit),
    replay: (ref) =>
      withLog(deps, ref, (stored) => {
        const { session } = foldLog(deps.games, stored.row.id, stored.entries);
        return deps.seals.signReplay(makeReplay(session, stored.roster, stored.entries));
      }),
    verify: (ref) => withLog(deps, ref, (stored) => verifyLog(deps, stored)),
    namePlayer: (...naming) => namePlayer(deps, ...naming),
    exportPlayer: (tenant, playerId, modes) => exportPlayer(deps, tenant, playerId, modes),
    forgetAnswersOf,
    async erasePlayer(tenant, worlds, playerId, { looked, audit } = {}) {
      const before = looked ?? (await forgetAnswersOf(tenant, worlds, playerId));
      const how = { looked: before, audit };
      return erasures.erase(tenant, () => erasePlayer(deps, { tenant, worlds, playerId }, how));
    },
  };
}

async function erasePlayer(
  deps: SessionDeps,
  { tenant, worlds, playerId }: { tenant: string; worlds: readonly KeyMode[]; playerId: string },
  how: { readonly looked: AnswerSearch; readonly audit: AuditRow | undefined },
): Promise<Outcome<null>> {
  const isErased = await deps.store.erasePlayer(tenant, worlds, playerId, deps.clock.now(), how);
  if (!isErased) return refuse('player_not_found');
  for (const world of worlds) {
    deps.host.forgetPlayer({ tenant, world, playerId });
    deps.onErased({ tenant, world, playerId });
  }
  return { ok: true, value: null };
}

async function withLog<T>(
  deps: SessionDeps,
  ref: SessionRef,
  read: (stored: StoredSession) => T | Promise<T>,
): Promise<Outcome<T>> {
  const stored = await deps.store.loadSession(ref.id);
  if (stored === null || !isVisible(stored.row, ref)) return refuse('session_not_found');
  if (isSecret(deps.games, stored)) return refuse('session_not_ended');
  return { ok: true, value: await read(stored) };
}
