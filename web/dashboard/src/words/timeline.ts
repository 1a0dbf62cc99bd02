/** A session's events, one line of words for each. */

import type { Chance, Session, TimelineRow } from '../types.ts';
import { chanceWords, diceWords } from './chance.ts';
import { duration } from './duration.ts';
import { lossWords, playerName } from './result.ts';

export interface Line {
  /** The version of its last record. */
  readonly v: number;
  readonly at: string;
  readonly words: string;
}

type Players = Session['players'];
type Detail = Readonly<Record<string, unknown>>;

/** Oldest first; consecutive ticks of a tick game are one line. `chance` is null until the seed is revealed. */
export function timelineWords(
  rows: readonly TimelineRow[],
  { game, players }: Pick<Session, 'game' | 'players'>,
  chance: readonly Chance[] | null = null,
): readonly Line[] {
  const lines: Line[] = [];
  const drawn = new Map(chance?.map(({ v, draws }) => [v, draws]));
  let ticksFrom: number | null = null;
  for (const { v, at, kind, seat, detail } of rows) {
    if (kind !== 'ticks') {
      ticksFrom = null;
      const draws = drawn.get(v) ?? [];
      const who = whoIs(seat, players);
      const said = game === 'ludo' ? ludoWords(kind, who, detail, draws) : null;
      lines.push({ v, at, words: said ?? wordsOf(kind, who, detail) + chanceWords(draws) });
      continue;
    }
    const { from = 0, count = 0 } = detail as { from?: number; count?: number };
    if (ticksFrom === null) ticksFrom = from;
    else lines.pop();
    lines.push({ v, at, words: `Ticks ${ticksFrom} to ${Math.max(ticksFrom, from + count - 1)}` });
  }
  return lines;
}

function whoIs(seat: number | null, players: Players): string {
  if (seat === null) return '';
  const player = players.find((each) => each.seat === seat);
  return player === undefined ? `Seat ${seat}` : `${playerName(player)} (seat ${seat})`;
}

/** Words for ludo only; null for other games. Tokens are counted from 1, as on the players' page. */
function ludoWords(
  kind: string,
  who: string,
  given: unknown,
  draws: Chance['draws'],
): string | null {
  const { roll, token } = (given ?? {}) as Detail;
  const dice = draws.length === 0 ? '' : ` ${diceWords(draws)}`;
  if (kind === 'action' && roll === true) return `${who} rolled${dice}`;
  if (kind === 'action' && typeof token === 'number') return `${who} moved token ${token + 1}`;
  if (kind !== 'missed' || dice === '') return null;
  return `${who} missed the turn; the service rolled${dice}`;
}

/** `who` is empty if a record belongs to no seat. */
function wordsOf(kind: string, who: string, given: unknown): string {
  const detail = (given ?? {}) as Detail;
  switch (kind) {
    case 'created':
      return 'Session created';
    case 'joined':
      return detail['bot'] === true ? `${who} joined as a bot` : `${who} joined`;
    case 'left':
      return detail['by'] === 'tenant' ? `${who} was removed` : `${who} left before the start`;
    case 'entropy':
      return `${who} added to the randomness`;
    case 'connected':
      return `${who} connected`;
    case 'disconnected':
      return `${who} disconnected`;
    case 'started':
      return 'Match started';
    case 'action':
      return `${who} played${given === null ? '' : ` ${actionWords(given)}`}`;
    case 'draw':
      return `${who} ${DRAWS[String(detail['do'])] ?? 'answered a draw offer'}`;
    case 'missed':
      return `${who} missed the turn`;
    case 'forfeited':
      return `${who} lost: ${lossWords(String(detail['reason']))}`;
    case 'ended':
      return `Match ended: ${lossWords(String(detail['reason']))}`;
    case 'owned':
      return `A node took the session over${lostWords(detail)}`;
    case 'paused':
      return `The service paused the session${lostWords(detail)}`;
    default:
      return kind;
  }
}

const DRAWS: Readonly<Record<string, string>> = {
  offer: 'offered a draw',
  accept: 'accepted the draw',
  decline: 'declined the draw',
};

function lostWords({ lostMs }: Detail): string {
  return Number(lostMs) > 0 ? `; ${duration(Number(lostMs))} are charged to nobody` : '';
}

/** `position 4`; nested values as JSON. */
function actionWords(action: unknown): string {
  if (typeof action !== 'object' || action === null || Array.isArray(action)) {
    return JSON.stringify(action);
  }
  return Object.entries(action)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
