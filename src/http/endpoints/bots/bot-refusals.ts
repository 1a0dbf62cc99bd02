/** Refusals of bot calls as errors. */

import { makeProblem, type Problem } from '../../../contract/errors.ts';
import type { RejectCode } from '../../../match/decide.ts';
import type { BotOutcome } from '../../../runtime/bots/bot-service.ts';
import type { HttpDeps } from '../../request/deps.ts';
import { refusalProblem } from '../refusals.ts';

type Refused = Extract<BotOutcome<unknown>, { ok: false }>;

export function botProblem({ clock }: HttpDeps, { refusal, bot }: Refused): Problem {
  switch (refusal) {
    case 'bot_of_other_game':
      return makeProblem(refusal, { id: bot?.id ?? '', game: bot?.game ?? '' });
    case 'bot_of_other_mode':
      return makeProblem(refusal, { id: bot?.id ?? '', mode: bot?.mode ?? '' });
    case 'bot_not_found':
    case 'bot_inactive':
    case 'bot_not_external':
    case 'bot_not_seated':
    case 'bot_player_taken':
    case 'bot_limit_reached':
      return makeProblem(refusal);
    default:
      return refusalProblem(refusal, clock.now());
  }
}

/** A rejected action (rule P7): the equivalent of a socket's `reject` frame. */
export function rejectProblem({ clock }: HttpDeps, code: RejectCode, error: string): Problem {
  switch (code) {
    case 'not_your_turn':
    case 'illegal_move':
    case 'ambiguous_move':
    case 'id_reused':
    case 'bad_action':
      return makeProblem(code, { reason: error });
    case 'session_not_active':
    case 'session_ended':
      return makeProblem(code);
    case 'busy':
      return refusalProblem('busy', clock.now());
    default:
      return refusalProblem('unavailable', clock.now());
  }
}
