/** The result of ludo: when it is over, the winner, and every seat's place. */

import type { Outcome } from '../../../game/src/game.ts';
import { isDone, WAY, walked } from './board.ts';
import type { LudoState } from './state.ts';
import { isPlaying, isTeamPlaying, seatsOf } from './state.ts';

/** Why a game is over. */
type Reason = 'all_home' | 'one_home' | 'team_home' | 'team_left' | 'time_up' | 'all_left';

/** Extra points for a token at the goal. */
const HOME_POINTS = WAY;

/** One point per square, and more for a token at the goal. Tokens in the yard have none. */
export function scoresOf({ tokens }: LudoState): readonly number[] {
  return tokens.map((places) =>
    places.reduce((sum, place) => sum + walked(place) + (isDone(place) ? HOME_POINTS : 0), 0),
  );
}

/**
 * A single remaining seat before anybody has finished does not end the game: the match decides who
 * has won, and how.
 */
function reasonOf(state: LudoState): Reason | null {
  const { rules, home, out, tokens } = state;
  if (out.length === tokens.length && home.length === 0) return 'all_left';
  switch (rules.variant) {
    case 'timed':
      return home.length > 0 ? 'all_home' : null;
    case 'teams':
      return teamReason(state);
    default: {
      const playing = seatsOf(state).filter((seat) => isPlaying(state, seat)).length;
      if (home.length === 0 || playing > 1) return null;
      return rules.variant === 'quick' ? 'one_home' : 'all_home';
    }
  }
}

function teamReason(state: LudoState): Reason | null {
  if (state.teamLeft !== null) return 'team_left';
  return winningTeam(state) === null ? null : 'team_home';
}

/** Null while both teams play. A team wins by finishing, never by the other's departure. */
function winningTeam(state: LudoState): number | null {
  const { teamLeft } = state;
  if (teamLeft !== null) return 1 - teamLeft;
  return [0, 1].find((team) => !isTeamPlaying(state, team)) ?? null;
}

/** Whether the match continues for the other places only. */
export function hasWinner({ rules: { variant }, home }: LudoState): boolean {
  return (variant === 'classic' || variant === 'quick') && home.length > 0;
}

export function isOver(state: LudoState): boolean {
  return reasonOf(state) !== null;
}

/** A higher rank is a better place. Equal ranks share a place. */
function ranksOf(state: LudoState): readonly number[] {
  const { rules, home, out } = state;
  switch (rules.variant) {
    case 'timed': {
      const scores = scoresOf(state);
      return scores.map((score, seat) => (out.includes(seat) ? -1 : score));
    }
    case 'teams':
      return seatsOf(state).map((seat) => {
        if (out.includes(seat) && !home.includes(seat)) return 0;
        return seat % 2 === winningTeam(state) ? 2 : 1;
      });
    default:
      return seatsOf(state).map((seat) => {
        const order = home.indexOf(seat);
        if (order !== -1) return 2 + home.length - order;
        return out.includes(seat) ? 0 : 1;
      });
  }
}

export function outcome(state: LudoState): Outcome | null {
  const reason = reasonOf(state);
  return reason === null ? null : makeOutcome(state, reason);
}

/** The result of a timed game at its time limit. */
export function timeUp(state: LudoState): Outcome {
  return makeOutcome(state, 'time_up');
}

function makeOutcome(state: LudoState, reason: Reason): Outcome {
  const ranks = ranksOf(state);
  const places = ranks.map((rank) => 1 + ranks.filter((other) => other > rank).length);
  const first = places.flatMap((place, seat) => (place === 1 ? [seat] : []));
  const isDrawn = first.length === places.length;
  const detail = state.rules.variant === 'timed' ? { scores: scoresOf(state) } : {};
  return { winners: isDrawn ? [] : first, places, reason, detail };
}
