/** How a socket attaches to a match, what it is sent, and how it detaches. */

import type { Wire } from '../../match/frames/compact.ts';
import type { Viewer } from '../../match/frames/frames.ts';
import { makeState } from '../../match/frames/frames.ts';
import { uncommittedTicks } from './audience.ts';
import { breakMatch, next } from './mailbox.ts';
import { evict } from './match-leave.ts';
import { run } from './match-load.ts';
import { heldMatch, isHeld, isQuiet, type Match, type MatchTable } from './match-table.ts';
import { isSeatOf, NOT_SEATED } from './player-work.ts';
import { UNDONE } from './refusals.ts';
import type { Subscriber, WorkResult } from './work.ts';

/** Subscribes from the session's next frame on; a seat is connected first. */
export function attach(
  table: MatchTable,
  session: string,
  subscriber: Subscriber,
  done: (result: WorkResult) => void,
): void {
  const seat = subscriber.viewer;
  run(table, session, {
    command(match) {
      if (seat === null) return { kind: 'tick' };
      return isSeatOf(match, seat, subscriber.player) ? { kind: 'connect', seat } : NOT_SEATED;
    },
    done(result) {
      if (result.kind !== 'done') done(result);
      else {
        const match = result.match as Match;
        // The match may have been dropped during the commit: this subscriber would get no frames.
        if (isHeld(match) && !match.subscribers.includes(subscriber)) {
          match.subscribers = [...match.subscribers, subscriber];
          notifyVisit(table, match, subscriber);
        }
        done(isHeld(match) ? result : UNDONE);
      }
      return undefined;
    },
  });
}

export function detach(
  table: MatchTable,
  session: string,
  subscriber: Subscriber,
  isPutAway: boolean,
): void {
  const match = heldMatch(table, session);
  if (match === undefined || !match.subscribers.includes(subscriber)) return;
  match.subscribers = match.subscribers.filter((each) => each !== subscriber);
  match.touchedAt = table.deps.clock.now();
  if (match.session.status === 'ended') {
    notifyVisit(table, match, subscriber);
    // Presence is not recorded after the end.
    if (match.subscribers.length === 0 && isQuiet(match)) evict(table, match);
    return;
  }
  const seat = subscriber.viewer;
  if (seat === null) return;
  const isShown = (): boolean => match.subscribers.some(({ viewer }) => viewer === seat);
  if (!isShown()) table.ticks.release(match, seat);
  run(table, session, {
    essential: true,
    // When this work runs, the player may have another socket.
    command: () =>
      isShown()
        ? { kind: 'tick' }
        : { kind: 'disconnect', seat, ...(isPutAway && { putAway: true }) },
    done: () => undefined,
  });
}

/** Other players with the session open, here or on another node, may ask for a rematch. */
function notifyVisit({ listeners, deps }: MatchTable, match: Match, { viewer }: Subscriber): void {
  if (match.session.status !== 'ended' || viewer === null) return;
  const isAlone =
    deps.peers === undefined && match.subscribers.every((each) => each.viewer === viewer);
  if (!isAlone) for (const notify of listeners.visited) notify(match);
}

/** The calls that the host's interface describes. */
export function makeShowing(table: MatchTable) {
  return {
    stateFor: (session: string, viewer: Viewer, seen?: number, wire: Wire = 1) =>
      stateFor(table, session, viewer, seen, wire),
    askState: () => false,
    noteSeen: (session: string, seen: number) => noteSeen(table, session, seen),
    watchers(session: string): number {
      const shown = heldMatch(table, session)?.subscribers ?? [];
      return shown.filter(({ viewer }) => viewer === null).length;
    },
    relay(session: string, makeText: (v: number) => string): void {
      const match = heldMatch(table, session);
      if (match === undefined || match.subscribers.length === 0) return;
      const texts = [makeText(match.session.v)];
      for (const subscriber of match.subscribers) subscriber.send(texts);
    },
  };
}

function stateFor(
  table: MatchTable,
  session: string,
  viewer: Viewer,
  seen: number | undefined,
  wire: Wire,
): readonly string[] {
  const match = heldMatch(table, session);
  // Ticks have no version, so a returning client gets all of them.
  if (match === undefined || (match.session.v === seen && match.room === null)) return [];
  try {
    const zeroAt = match.room?.zeroAt;
    const { session: shown, roster, shown: prev } = match;
    const { roomCode } = match.row;
    const state = table.runRules(shown.rules, 'state', () =>
      makeState(shown, { roster, roomCode, viewer, prev, wire, zeroAt }),
    );
    const rest = uncommittedTicks(match);
    return rest === null ? [state] : [state, rest.text(viewer, wire)];
  } catch (error) {
    if (!match.isBroken) breakMatch(table, match, error);
    next(table, match);
    return [];
  }
}

/** Only committed versions are sent, so the client lies or a commit is missing. */
function noteSeen(table: MatchTable, session: string, seen: number): void {
  const { stats, deps } = table;
  const v = heldMatch(table, session)?.session.v;
  if (v === undefined || seen <= v) return;
  stats.ahead++;
  deps.onAhead?.(session, seen, v);
}
