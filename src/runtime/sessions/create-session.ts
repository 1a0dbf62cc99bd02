/** Creates a session: its bots and players, its first record, its room code, in one transaction. */

import { makeCheckEvents } from '../../events/check-events.ts';
import { makeCreatedEvents } from '../../events/session-events.ts';
import { readChecks } from '../../integrity/checks.ts';
import { openSession } from '../../match/evolve.ts';
import { seatOrder, withPlayers } from '../../match/seating.ts';
import { worldOf } from '../../store/world.ts';
import type { MatchView } from '../host/work.ts';
import { firstEntry, firstRow, madeOrLookedFor, quotaOf, seatedRow } from './new-session.ts';
import { named } from './player-data.ts';
import { refuse } from './refuse.ts';
import type { StartedSession } from './rematch.ts';
import { makeRoomCode } from './room-code.ts';
import { fillSeats } from './seating.ts';
import type { SessionDeps, SessionParts } from './session-deps.ts';
import type { KeepAnswer, Outcome, SessionRequest } from './session-service.ts';
import { storedCheck } from './stored-check.ts';

/** A code is valid for so long, or until the session is active. */
const ROOM_CODE_MS = 600_000;
/** Attempts to find a free code. Two collisions in a row are very unlikely. */
const ROOM_CODE_TRIES = 5;

/** A session of the queue; its players must not wait elsewhere (rule S2). */
export interface QueuedSession {
  readonly id: string;
  readonly pairing: string;
}

/** Training and matches against bots have their bots from the start, or are not created. */
export async function createFilled(
  deps: SessionParts,
  request: SessionRequest,
  keep: KeepAnswer | null,
): Promise<Outcome<MatchView>> {
  const { bots: store, randomness } = deps;
  const bots = await fillSeats({ store, randomness }, request);
  if (bots === null) return refuse('no_active_bots');
  return createSession(deps, bots.length === 0 ? request : { ...request, bots }, keep);
}

export function createSession(
  deps: SessionParts,
  request: SessionRequest,
  keep: KeepAnswer | null,
  queued?: QueuedSession,
): Promise<Outcome<MatchView>> {
  // Both before the first await: lists by time rely on it (`withSpan`).
  const id = queued?.id ?? deps.makeId('ses');
  const now = deps.clock.now();
  const begun = { id, now, pairing: queued?.pairing };
  return deps.erasures.name(request.tenant, () => writeSession(deps, request, keep, begun));
}

export async function writeSession(
  deps: SessionDeps,
  request: SessionRequest,
  keep: KeepAnswer | null,
  { id, now, pairing }: StartedSession,
): Promise<Outcome<MatchView>> {
  const { store, host, makeId } = deps;
  // A stored response is written with the session, so it has to name the players first.
  const players =
    keep === null
      ? request.players
      : await Promise.all(
          request.players.map((each) => named(deps, request.tenant, worldOf(request), each)),
        );
  const entry = firstEntry(deps, request, now);
  const session = openSession(deps.games.findPlayed, id, entry);
  const wakeAt = host.sleepsUntil(session);
  const order = request.order ?? seatOrder(session.setup);
  const bots = (request.bots ?? []).map(({ player }) => player);
  const everybody = [...players, ...bots];
  const roster = withPlayers(request.seats, [], order, everybody);
  // By the names in the request: a name that was looked up may be erased by then (rule R2).
  const seats = [...request.players, ...bots].map((player, index) =>
    seatedRow(deps, player, order[index]!, now, index >= players.length),
  );
  for (let tries = 0; tries < ROOM_CODE_TRIES; tries++) {
    const row = {
      ...firstRow(request, id, makeRoomCode(deps.randomness), now),
      ...storedCheck(undefined, roster, request),
    };
    const view: MatchView = { row, roster, session };
    const asked = store.createSession({
      row,
      seats,
      entry,
      roomCodeExpiresAt: now + ROOM_CODE_MS,
      wakeAt,
      quota: quotaOf(request, now),
      idempotency: keep === null ? null : keep(view),
      events: [
        ...makeCreatedEvents(row, id, entry, () => makeId('evt')),
        ...makeCheckEvents(row, id, readChecks(row.integrity), entry, () => makeId('evt')),
      ],
      ...(pairing === undefined ? null : { waiting: { pairing } }),
      ...(request.rematchOf === undefined ? null : { rematchOf: request.rematchOf }),
    });
    const outcome = await madeOrLookedFor(host, id, asked);
    if (outcome === 'month_full') return refuse('month_quota_exceeded');
    if (outcome === 'open_full') return refuse('open_sessions_exceeded');
    if (outcome === 'already_waiting') return refuse('player_in_session');
    if (outcome === 'rematch_made') return refuse('no_rematch');
    if (outcome === 'room_code_taken') continue;
    const { names } = outcome;
    const asStored = everybody.map((player, i) => ({ ...player, displayName: names[i] ?? null }));
    const kept = { ...view, roster: withPlayers(request.seats, [], order, asStored) };
    if (wakeAt === null) host.adopt({ row, roster: kept.roster, entries: [entry] });
    host.notifySeated(kept);
    return { ok: true, value: kept };
  }
  return refuse('busy');
}
