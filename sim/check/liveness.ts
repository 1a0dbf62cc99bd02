/** Everything has settled once faults stopped: no work waits that could continue. */

import { nextDeadline } from '../../src/match/deadline.ts';
import { foldEntry } from '../../src/match/evolve.ts';
import type { Entry } from '../../src/match/record.ts';
import type { Session } from '../../src/match/session.ts';
import { presenceKey } from '../../src/store/rows/presence-key.ts';
import type { Outstanding } from '../../src/webhooks/parcel.ts';
import type { Organizer } from '../actors/matches.ts';
import type { Scene } from '../actors/scene.ts';
import {
  eventsAfter,
  type SavedSession,
  type StoredData,
  type StoredWebhook,
} from '../store/stored.ts';
import { simulatedGames } from '../world/games.ts';
import type { Receiver } from '../world/receiver.ts';

/** A player whose turn it is has moved, or lost the turn, within this, ms. */
const STUCK_MS = 20_000;
/** Events after a webhook's position that are examined. */
const EVENTS_MAX = 1_000;

const UNSURE = ['unanswered', 'late', 'cut', 'away'] as const;

export function checkLiveness(
  kept: StoredData,
  { timeline, history, isUp, holds, has }: Scene,
  organizers: readonly Organizer[],
  receiver: Receiver,
): void {
  const now = timeline.now();
  // A session whose creation was not answered is found when somebody connects, or by the next
  // process.
  const isSure = !UNSURE.some(has);
  for (const { backend, players } of organizers) {
    for (const player of players) {
      const isPresent = kept.present.has(
        presenceKey({ tenant: backend.tenant, mode: 'live', playerId: player.id }),
      );
      if (player.isOpen() && !player.isWatcher && !isPresent)
        history.found(`L: ${player.id} is here and not present`);
      for (const place of player.places.values()) {
        const { session, status, pending, turnSince } = place;
        const resumed = player.resumed(place);
        if (resumed !== null && now - resumed.at > STUCK_MS) {
          history.found(`P4: ${player.id} has ${resumed.v} of ${session} and is shown no more`);
        }
        const outstanding = player.outstanding(place);
        if (player.isOpen() && outstanding !== null && now - outstanding.sentAt > STUCK_MS)
          history.found(`L: ${outstanding.id} of ${session} was taken and never answered`);
        const found = kept.sessions.get(session);
        if (!player.isOpen() || found === undefined || found.row.status === 'ended') continue;
        if (pending !== null && now - pending.since > STUCK_MS) {
          history.found(`L: ${pending.id} of ${session} is not answered`);
        } else if (status === 'active' && turnSince !== null && now - turnSince > STUCK_MS) {
          history.found(`L: ${player.id} is to move in ${session} and does not`);
        }
      }
    }
  }
  for (const each of kept.sessions.values()) checkDeadline(each, history, now);
  for (const { row, holder } of kept.sessions.values()) {
    if (holder === null) continue;
    if (!isUp(holder)) history.found(`L: ${row.id} is held by ${holder}, who died`);
    else if (isSure && !holds(holder, row.id)) {
      history.found(`L: ${row.id} is unknown to its holder ${holder}`);
    }
  }
  for (const row of kept.webhooks) checkWebhook(row, kept, { now, history, receiver });
}

/** Due work happens even without connections. */
function checkDeadline({ row, log }: SavedSession, history: Scene['history'], now: number): void {
  let session: Session | null = null;
  for (const { text } of log)
    session = foldEntry(simulatedGames.findPlayed, row.id, session, JSON.parse(text) as Entry);
  const deadline = session === null || session.status === 'ended' ? null : nextDeadline(session);
  if (session === null || deadline === null) return;
  const lateMs = Math.round(now - deadline);
  if (lateMs > STUCK_MS)
    history.found(`L: ${row.id} was due ${lateMs} ms ago, after ${session.v}, and goes on`);
}

/** Only the first event of a session waits for its own time; the others wait behind it. */
function firstOfSessions(outstanding: readonly Outstanding[]): readonly Outstanding[] {
  const inOrder = outstanding.toSorted((a, b) => a.seq - b.seq);
  const firsts = new Map<string, Outstanding>();
  for (const each of inOrder) {
    const queue = each.session ?? each.id;
    if (!firsts.has(queue)) firsts.set(queue, each);
  }
  return [...firsts.values()];
}

/** An event is sent, waits for its time, or waits behind another of its session. */
function checkWebhook(
  { webhook, outstanding, attempts }: StoredWebhook,
  kept: StoredData,
  { now, history, receiver }: Pick<Scene, 'history'> & { now: number; receiver: Receiver },
): void {
  const isOld = (at: number): boolean => at < now - STUCK_MS;
  // An event behind another is due once that one is delivered, however old it is.
  const moving = new Set(attempts.filter(({ at }) => !isOld(at)).map(({ session }) => session));
  const isMoving = (session: string | null): boolean => session !== null && moving.has(session);
  const late = firstOfSessions(outstanding).filter(
    ({ nextAt, session }) => isOld(nextAt) && !isMoving(session),
  );
  if (late.length > 0) history.found(`L: ${webhook.id} has ${late.length} that are overdue`);
  const sent = new Set((receiver.got.get(webhook.url) ?? []).map(({ id }) => id));
  const waiting = new Set(outstanding.map(({ session }) => session));
  const unsent = eventsAfter(kept, webhook, webhook.cursor)
    .slice(0, EVENTS_MAX)
    .filter(
      ({ id, type, at, session }) =>
        type !== 'move.made' &&
        isOld(at) &&
        !sent.has(id) &&
        !isMoving(session) &&
        !(session !== null && waiting.has(session)),
    );
  if (unsent.length > 0) history.found(`L: ${webhook.id} has not been sent ${unsent.length}`);
}
