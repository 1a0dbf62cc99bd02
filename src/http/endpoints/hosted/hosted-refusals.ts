/** Refusals of hosted matchmaking as errors. */

import type { GameId } from '../../../../game/src/game.ts';
import { makeProblem, type Problem, retryAfter } from '../../../contract/errors.ts';
import { quoteName } from '../../../contract/fields.ts';
import type { HostedRefusal } from '../../../matchmaking/ticket.ts';

/** The tenant ends tickets itself, and has room again as soon as it has done so. */
const OPEN_TICKETS_RETRY_MS = 10_000;

export function hostedProblem(refusal: HostedRefusal, game: GameId): Problem {
  switch (refusal.code) {
    case 'group_not_found':
    case 'group_started':
      return makeProblem(refusal.code, { id: quoteName(refusal.group) });
    case 'player_in_ticket':
      return makeProblem(refusal.code, { id: refusal.ticket });
    case 'player_absent':
      return makeProblem(refusal.code, { id: refusal.player });
    case 'player_count': {
      const { min, max, count } = refusal;
      const words = { game, min: `${min}`, max: `${max}`, count: `${count}` };
      return makeProblem(refusal.code, words);
    }
    case 'open_tickets_exceeded':
      return makeProblem(refusal.code, null, retryAfter(OPEN_TICKETS_RETRY_MS));
    case 'ticket_not_found':
    case 'player_not_in_ticket':
    case 'ticket_not_forming':
    case 'player_not_connected':
    case 'ticket_full':
    case 'player_in_session':
      return makeProblem(refusal.code);
  }
}
