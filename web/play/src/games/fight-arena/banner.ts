/** The words over the stage: which round it is, how it ended, what is waited for. Pure. */

import { READY_TICKS } from '../../../../../src/games/fight-arena/stage.ts';
import type { FightState, Round } from '../../../../../src/games/fight-arena/state.ts';
import { countWins } from '../../../../../src/games/fight-arena/state.ts';
import type { Key, Translate } from '../../i18n/translate.ts';

export interface Banner {
  readonly text: string;
  readonly detail: string | null;
  /** Which it is: a new one comes in anew. */
  readonly id: string;
  readonly tone: 'calm' | 'loud';
}

/** Whether play goes on, as the client knows it. */
export interface Standstill {
  /** Until it goes on, ms; null when nobody knows. */
  readonly resumesInMs: number | null;
  /** Whom it waits for; null for the server itself. */
  readonly name: string | null;
}

/** "Fight!" stays for so many ticks. */
const CALL_TICKS = 45;
/** After a round its winner is named so many ticks before the next. */
const WINNER_TICKS = 70;
/** The match's last call stays so long. Seconds. */
const LAST_CALL_S = 1.6;
const SECOND_MS = 1_000;

const ENDS: Readonly<Record<Round['by'], Key>> = {
  knockout: 'fight.ko',
  double_knockout: 'fight.doubleKo',
  time: 'fight.time',
  equal_health: 'fight.time',
};

/** `overFor` is how long the match has been over, in seconds. Null when there is nothing to say. */
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
      return overFor < LAST_CALL_S ? endBanner(state, names, true, t) : null;
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
  const isPerfect = last.health[last.winner] === 1_000;
  const name = names[last.winner] ?? '';
  return banner(
    `${id}won`,
    t('fight.roundWon', { name }),
    isPerfect ? t('fight.perfect') : null,
    'calm',
  );
}

/** What is said when nothing moves although it should. */
export function standstillBanner({ resumesInMs, name }: Standstill, t: Translate): Banner {
  if (resumesInMs !== null && resumesInMs > 0) {
    const seconds = Math.ceil(resumesInMs / SECOND_MS);
    return banner(`resume${seconds}`, String(seconds), t('fight.resumes'), 'calm');
  }
  const text = name === null ? t('fight.waiting') : t('fight.waitingFor', { name });
  return banner('waiting', text, null, 'calm');
}
