/** E1: the log of events matches the logs of the sessions: all of them, once and in order. */

import { isRefusal } from '../../game/src/game.ts';
import { advance } from '../../game/src/tick-game.ts';
import { type EventType, parseWorldName } from '../../src/events/event.ts';
import { makeSeatMark } from '../../src/events/marks.ts';
import { foldEntry, gameOf, randomOf, tickGameOf } from '../../src/match/evolve.ts';
import type { Entry } from '../../src/match/record.ts';
import { makeResult } from '../../src/match/result.ts';
import type { Session } from '../../src/match/session.ts';
import type { SavedSession, StoredData } from '../store/stored.ts';
import { simulatedGames } from '../world/games.ts';
import type { History } from './history.ts';

/** An event as far as a record decides it: its type, its time, its data as JSON. */
type Expected = string;

/** Checks the whole log of every tenant. Nothing may have been removed from it. */
export function checkEvents(kept: StoredData, history: History): void {
  const bySession = new Map<string, Expected[]>();
  const ids = new Set<string>();
  for (const [name, { head, events }] of kept.events) {
    const world = parseWorldName(name);
    let seq = 0;
    for (const event of events) {
      seq += 1;
      if (event.seq !== seq) {
        history.found(`E1: ${name} has ${event.seq} in place ${seq}`);
        return;
      }
      if (ids.has(event.id)) history.found(`E1: ${event.id} of ${name} is there twice`);
      ids.add(event.id);
      if (event.session === null || !isOfLog(event.type)) continue;
      const of = kept.sessions.get(event.session)?.row;
      if (of?.tenant !== world.tenant || of.mode !== world.mode)
        history.found(`E1: ${event.id} of ${name} tells of ${event.session}, which is not there`);
      const told = bySession.get(event.session) ?? [];
      bySession.set(event.session, told);
      told.push(text(event.type, event.at, event.data));
    }
    if (seq !== head) history.found(`E1: ${name} has ${seq} events of ${head}`);
  }
  for (const session of kept.sessions.values()) {
    compare(session, bySession.get(session.row.id) ?? [], history);
  }
}

/** Events of tickets, groups and device checks also name sessions, but are in no session's log. */
function isOfLog(type: EventType): boolean {
  return !['ticket.', 'group.', 'integrity.'].some((start) => type.startsWith(start));
}

function compare(kept: SavedSession, told: readonly Expected[], history: History): void {
  const expected = expectedOf(kept);
  const at = expected.findIndex((each, index) => each !== told[index]);
  if (at === -1 && told.length === expected.length) return;
  const place = at === -1 ? expected.length : at;
  const [want = 'nothing', is = 'nothing'] = [expected[place], told[place]];
  history.found(`E1: ${kept.row.id} tells ${is} as its event ${place}, where its log has ${want}`);
}

function text(type: EventType, at: number, data: string): Expected {
  return `${type} ${at} ${data}`;
}

/** An independent derivation of a log's events: the service's own is what is checked. */
function expectedOf({ row, log }: SavedSession): Expected[] {
  const expected: Expected[] = [];
  let session: Session | null = null;
  for (const kept of log) {
    const entry = JSON.parse(kept.text) as Entry;
    const before: Session | null = session;
    session = foldEntry(simulatedGames.findPlayed, row.id, before, entry);
    const add = (type: EventType, data: unknown): void =>
      void expected.push(text(type, entry.at, JSON.stringify(data)));
    const { record } = entry;
    switch (record.k) {
      case 'created':
        add('session.created', { seats: record.taken });
        break;
      case 'joined':
        add(record.bot ? 'bot.injected' : 'player.joined', { v: entry.v, seat: record.seat });
        break;
      case 'connected':
      case 'disconnected':
      case 'left':
        add(`player.${record.k}`, { v: entry.v, seat: record.seat });
        break;
      case 'started':
        add('session.started', {});
        break;
      case 'action':
        add('move.made', { v: entry.v, seat: record.seat, action: openPart(before!, record) });
        for (const { type, data } of gameEvents(before!, entry)) add(type as EventType, data);
        break;
      case 'ticks':
      case 'missed':
        for (const { type, data } of gameEvents(before!, entry)) add(type as EventType, data);
        break;
      case 'ended': {
        const type = record.outcome.reason === 'expired' ? 'session.expired' : 'session.ended';
        add(type, { result: resultOf(session) });
      }
    }
  }
  return expected;
}

/** The public part of an action: here all of it, or nothing. */
function openPart(
  session: Session,
  { action }: Extract<Entry['record'], { k: 'action' }>,
): unknown {
  return gameOf(session).openInformation ? action : null;
}

function resultOf(session: Session): unknown {
  if (session.status !== 'ended') throw new Error('an end that ends nothing');
  const roster = session.seats.map(({ taken }, seat) =>
    taken ? { id: makeSeatMark(seat), displayName: null } : null,
  );
  return makeResult(session, roster);
}

const TOLD_OF_GAMES: ReadonlySet<string> = new Set<EventType>([
  'checkers.crowned',
  'ludo.captured',
  'fight.round_ended',
]);

/** The game's own events of a record. */
function gameEvents(before: Session, { record }: Entry) {
  if (before.status !== 'active') throw new Error('played before the start');
  const { state } = before.play;
  const told = (): readonly { readonly type: string; readonly data: unknown }[] => {
    const { missTurn } = gameOf(before);
    if (record.k === 'missed')
      return missTurn?.(state, record.seat, randomOf(before))?.events ?? [];
    if (record.k === 'ticks') return advance(tickGameOf(before)!, state, record.runs).events;
    if (record.k !== 'action') return [];
    const applied = gameOf(before).apply(state, record.seat, record.action, randomOf(before));
    return isRefusal(applied) ? [] : (applied.events ?? []);
  };
  return told().filter(({ type }) => TOLD_OF_GAMES.has(type));
}
