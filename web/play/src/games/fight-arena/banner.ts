/** The messages over the stage: the round, its result, and the cause of a pause. Pure. */

import { HEALTH_MAX, READY_TICKS } from '../../../../../src/games/fight-arena/stage.ts';
import type { FightState, Round } from '../../../../../src/games/fight-arena/state.ts';
import { countWins } from '../../../../../src/games/fight-arena/state.ts';
import type { Key, Translate } from '../../i18n/translate.ts';

export interface Banner {
  readonly text: string;
  readonly detail: string | null;
  /** Which banner it is: a new id starts the animation. */
  readonly id: string;
  readonly tone: 'calm' | 'loud';
}

/** Why play is paused, as far as the client knows. */
export type Stall =
  /** Milliseconds until it continues. */
  | { readonly kind: 'resumes'; readonly inMs: number }
  /** This page's own connection is gone. */
  | { readonly kind: 'own' }
  /** The named player's connection is lost; the fight continues without them, or waits. */
  | { readonly kind: 'awaited' | 'other'; readonly name: string; readonly waits: boolean }
  /** The connection is open, but no frames arrive. */
  | { readonly kind: 'silent' };

/** Ticks for which "Fight!" is shown. */
const CALL_TICKS = 45;
/** The winner of a round is shown this many ticks before the next. */
const WINNER_TICKS = 70;
/** How long the match's last call is shown, and then the winner's name, after the end. Seconds. */
const LAST_CALL_S = 1.6;
const LAST_WORD_S = 3.4;
const SECOND_MS = 1_000;

const ENDS: Readonly<Record<Round['by'], Key>> = {
  knockout: 'fight.ko',
  double_knockout: 'fight.doubleKo',
  time: 'fight.time',
  equal_health: 'fight.time',
};

/** `overFor` is the time since the end of the match, in seconds. Null when there is no message. */
export function bannerOf(
  state: FightState,
  names: readonly string[],
  overFor: number,
  t: Translate,
): Banner | null {
  switch (state.phase) {
    case 'ready':
      return readyBanner(state, t);
    case 'fight':
      return state.roundTicks - state.left < CALL_TICKS
        ? banner('fight', t('fight.go'), null, 'loud')
        : null;
    case 'pause':
      return endBanner(state, names, state.left > WINNER_TICKS, t);
    case 'over':
      if (overFor < LAST_CALL_S) return endBanner(state, names, true, t);
      return overFor < LAST_WORD_S ? winBanner(state, names, t) : null;
  }
}

function banner(id: string, text: string, detail: string | null, tone: Banner['tone']): Banner {
  return { id, text, detail, tone };
}

function readyBanner(state: FightState, t: Translate): Banner {
  const number = state.rounds.length + 1;
  if (state.left <= READY_TICKS / 3)
    return banner(`ready${number}`, t('fight.ready'), null, 'calm');
  const isLast = countWins(state).every((wins) => wins === state.roundsToWin - 1);
  const isAgain = state.rounds.at(-1)?.winner === null;
  const detail = isAgain ? t('fight.again') : isLast && number > 1 ? t('fight.decider') : null;
  return banner(`round${number}`, t('fight.round', { number }), detail, 'calm');
}

function endBanner(
  { rounds }: FightState,
  names: readonly string[],
  isCall: boolean,
  t: Translate,
): Banner | null {
  const last = rounds.at(-1);
  if (last === undefined) return null;
  const id = `end${rounds.length}`;
  if (isCall) return banner(id, t(ENDS[last.by]), null, 'loud');
  if (last.winner === null)
    return banner(`${id}none`, t('fight.even'), t('fight.evenDetail'), 'calm');
  const isPerfect = last.health[last.winner] === HEALTH_MAX;
  const name = names[last.winner] ?? '';
  return banner(
    `${id}won`,
    t('fight.roundWon', { name }),
    isPerfect ? t('fight.perfect') : null,
    'calm',
  );
}

/** After the last call: the match's winner, unless it is a draw. */
function winBanner(state: FightState, names: readonly string[], t: Translate): Banner | null {
  const wins = countWins(state);
  if (wins[0] === wins[1]) return null;
  const winner = wins[0] > wins[1] ? 0 : 1;
  const last = state.rounds.at(-1);
  const isPerfect = last?.winner === winner && last.health[winner] === HEALTH_MAX;
  const text = t('result.wins', { name: names[winner] ?? '', count: 1 });
  return banner('won', text, isPerfect ? t('fight.perfect') : null, 'calm');
}

/** The message when the fight stalls. */
export function stallBanner(stall: Stall, t: Translate): Banner {
  switch (stall.kind) {
    case 'resumes': {
      const seconds = Math.ceil(stall.inMs / SECOND_MS);
      return banner(`resume${seconds}`, String(seconds), t('fight.resumes'), 'calm');
    }
    case 'own':
      return banner('own', t('fight.lineOwn'), t('status.retrying'), 'calm');
    case 'awaited':
    case 'other': {
      const { kind, name, waits } = stall;
      const detail = t(waits ? 'fight.lineOtherDetail' : 'fight.lineOtherGoesOn');
      const text = t(kind === 'awaited' ? 'status.absent' : 'fight.lineOther', { name });
      return banner(kind, text, detail, 'calm');
    }
    case 'silent':
      return banner('silent', t('fight.silent'), t('fight.silentDetail'), 'calm');
  }
}
