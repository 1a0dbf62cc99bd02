/** The result of a match, in words that name who lost, why, and who won. */

import type { Session } from '../types.ts';

type Player = Session['players'][number];

/** Why a player lost. The other reasons are those of the whole match. */
const LOSSES: Readonly<Record<string, string>> = {
  resignation: 'resigned',
  afk_timeout: 'did not move in time',
  clock_timeout: 'ran out of time on the clock',
  disconnect: 'stayed disconnected',
  eight_early: 'pocketed the eight ball too early',
  eight_with_foul: 'pocketed the eight ball with a foul',
  eight_wrong_pocket: 'pocketed the eight ball in the wrong pocket',
  three_fouls: 'made three fouls in a row',
  no_moves: 'had no legal move',
  no_pieces: 'had no pieces left',
};

/** How a winner won, or how a match ended without one. */
const ENDS: Readonly<Record<string, string>> = {
  aborted: 'ended without a result',
  expired: 'expired before it started',
  draw_agreed: 'players agreed to a draw',
  board_full: 'the board is full',
  three_in_a_row: 'three in a row',
  four_in_a_row: 'four in a row',
  eight_pocketed: 'pocketed the eight ball',
  nine_pocketed: 'pocketed the nine ball',
  all_home: 'all pieces home',
  one_home: 'a piece home',
  team_home: 'the team is home',
  rounds_won: 'won the rounds',
  rounds_over: 'all rounds played',
  shot_limit: 'shot limit reached',
  time_up: 'time is up',
};

/** Ends that are no draw either. */
const NO_RESULTS: ReadonlySet<string> = new Set(['aborted', 'expired']);

export function playerName({ id, displayName }: Pick<Player, 'id' | 'displayName'>): string {
  return displayName ?? id ?? 'erased player';
}

export function playerWords({ players }: Pick<Session, 'players'>): string {
  return players.map((each) => playerName(each) + (each.isBot ? ' (bot)' : '')).join(', ');
}

/** `—` while there is none: `Eli lost: did not move in time; Fay won`. */
export function resultWords({ result, players }: Pick<Session, 'result' | 'players'>): string {
  if (result === null) return '—';
  const { reason } = result;
  const ids = result.winners ?? (result.winner === null ? [] : [result.winner]);
  const nameOf = (id: string | null): string => {
    const found = players.find((each) => each.id === id);
    return found === undefined ? (id ?? 'erased player') : playerName(found);
  };
  const winners = ids.map(nameOf).join(' and ');
  const words = LOSSES[reason];
  const losers = players.filter(({ id }) => id === null || !ids.includes(id)).map(playerName);
  if (winners === '') {
    if (words !== undefined) return `Nobody won: ${words}`;
    return NO_RESULTS.has(reason) ? sentence(endWords(reason)) : `Draw: ${endWords(reason)}`;
  }
  // With several losers, the timeline shows which it was.
  if (words !== undefined && losers.length === 1)
    return `${losers[0]} lost: ${words}; ${winners} won`;
  if (words !== undefined) return `${winners} won: the last opponent ${words}`;
  return `${winners} won: ${endWords(reason)}`;
}

export function lossWords(reason: string): string {
  return LOSSES[reason] ?? endWords(reason);
}

function endWords(reason: string): string {
  return ENDS[reason] ?? reason.replaceAll('_', ' ');
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
