/** A short hash of a fight, to find out that two sides have diverged. */

import { MOVE_NAMES } from './moves.ts';
import type { Fighter, FightState } from './state.ts';
import { ACTS, PHASES, ROUND_ENDS } from './state.ts';

/** FNV-1a on whole numbers instead of bytes, with a shift so that high bits count, too. */
const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
const HEX_DIGITS = 8;

function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, PRIME);
  return mixed ^ (mixed >>> 15);
}

/** 32 bits as 8 hex digits, of the whole state. It finds errors, not cheats. */
export function hashFight(state: FightState): string {
  let hash = mix(OFFSET, state.tick);
  hash = mix(hash, PHASES.indexOf(state.phase));
  hash = mix(hash, state.left);
  hash = mix(hash, state.stop);
  hash = mix(hash, state.roundsToWin);
  hash = mix(hash, state.roundTicks);
  for (const fighter of state.fighters) hash = mixFighter(hash, fighter);
  for (const { winner, by, health, ticks } of state.rounds) {
    hash = mix(hash, winner ?? -1);
    hash = mix(hash, ROUND_ENDS.indexOf(by));
    hash = mix(hash, health[0]);
    hash = mix(hash, health[1]);
    hash = mix(hash, ticks);
  }
  return (hash >>> 0).toString(16).padStart(HEX_DIGITS, '0');
}

function mixFighter(before: number, fighter: Fighter): number {
  let hash = mix(before, fighter.x);
  hash = mix(hash, fighter.y);
  hash = mix(hash, fighter.vx);
  hash = mix(hash, fighter.vy);
  hash = mix(hash, fighter.facing);
  hash = mix(hash, fighter.health);
  hash = mix(hash, ACTS.indexOf(fighter.act));
  hash = mix(hash, fighter.age);
  hash = mix(hash, fighter.isCrouching ? 1 : 0);
  hash = mix(hash, fighter.move === null ? -1 : MOVE_NAMES.indexOf(fighter.move));
  hash = mix(hash, fighter.hasContact ? 1 : 0);
  hash = mix(hash, fighter.stun);
  hash = mix(hash, fighter.slide);
  hash = mix(hash, fighter.row);
  hash = mix(hash, fighter.held);
  hash = mix(hash, fighter.wanted);
  hash = mix(hash, fighter.wantedFor);
  hash = mix(hash, fighter.boltX);
  return mix(hash, fighter.boltFacing);
}
