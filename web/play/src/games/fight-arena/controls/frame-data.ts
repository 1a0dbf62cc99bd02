/** The frame data of attacks and ticks, in the terms that players know. Pure. */

import type { MoveName } from '../../../../../../src/games/fight-arena/moves.ts';
import { advantage, MOVES } from '../../../../../../src/games/fight-arena/moves.ts';
import type { Fighter, FightState } from '../../../../../../src/games/fight-arena/state.ts';
import type { Translate } from '../../../i18n/translate.ts';
import { stageOf } from '../scene/posture.ts';

/** The kind of a fighter's tick, as the meter colours it. */
export const TICK_KINDS = ['free', 'startup', 'active', 'recovery', 'stun', 'moving'] as const;
export type TickKind = (typeof TICK_KINDS)[number];

export function tickKindOf(fighter: Fighter): TickKind {
  switch (fighter.act) {
    case 'free':
      return 'free';
    case 'attack':
      return stageOf(fighter)!;
    case 'hit':
    case 'block':
    case 'fall':
    case 'down':
      return 'stun';
    default:
      return 'moving';
  }
}

/** Positive if the attacker can act first. */
const signed = (ticks: number): string =>
  ticks > 0 ? `+${ticks}` : ticks === 0 ? '±0' : `−${-ticks}`;

/** The attacker's frame advantage on a hit and on a block; null if impossible. */
export function advantagesOf(name: MoveName): {
  readonly onHit: string | null;
  readonly onBlock: string | null;
} {
  const move = MOVES[name];
  // A bolt hits later the farther it flies, and a throw cannot be blocked.
  const isOpen = name === 'bolt';
  const onHit = isOpen || move.knocksDown ? null : signed(advantage(move, move.hitstun));
  const onBlock = isOpen || move.level === 'throw' ? null : signed(advantage(move, move.blockstun));
  return { onHit, onBlock };
}

/** One line of figures. */
export function figuresOf(name: MoveName, t: Translate): string {
  const { startup, active, recovery, damage } = MOVES[name];
  return t('fight.figures', { startup, active, recovery, damage });
}

/** Further properties, in words. */
export function notesOf(name: MoveName, t: Translate): string {
  const { level, knocksDown } = MOVES[name];
  const { onHit, onBlock } = advantagesOf(name);
  return [
    t(`fight.level.${level}`),
    knocksDown ? t('fight.knocksDown') : null,
    onHit === null ? null : t('fight.onHit', { ticks: onHit }),
    onBlock === null ? null : t('fight.onBlock', { ticks: onBlock }),
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

/** Each fighter's last attack; null before the first. */
export function makeLastMoves(): (state: FightState) => readonly (MoveName | null)[] {
  const last: (MoveName | null)[] = [null, null];
  return ({ fighters }) => {
    for (const [seat, { move }] of fighters.entries()) last[seat] = move ?? last[seat]!;
    return last;
  };
}
