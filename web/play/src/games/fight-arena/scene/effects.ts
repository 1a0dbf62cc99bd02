/** Effects: sparks, dust, rings. Derived from the difference between two states. */

import { MOVES } from '../../../../../../src/games/fight-arena/moves.ts';
import { BOLT_HIGH, BOLT_LOW } from '../../../../../../src/games/fight-arena/stage.ts';
import type { Fighter, FightState } from '../../../../../../src/games/fight-arena/state.ts';
import type { SoundCue } from '../../board-view.ts';

export type EffectKind = 'hit' | 'heavy' | 'block' | 'dust' | 'fizzle';

export interface Effect {
  readonly kind: EffectKind;
  /** The position on the stage, millimetres. */
  readonly x: number;
  readonly y: number;
  /** The direction in which it flies. */
  readonly facing: number;
  /** A small random rotation. 0 to 1. */
  readonly turn: number;
  /** Seconds since it began, and how long it lasts. */
  age: number;
  readonly length: number;
  /** The affected seat. */
  readonly seat: 0 | 1;
}

/** The effects of the difference between two frames. */
export interface SceneEvents {
  readonly effects: readonly Effect[];
  readonly cues: readonly { readonly cue: SoundCue; readonly loudness: number }[];
  /** How hard the view shakes, 0 to 1. */
  readonly shake: number;
  /** A prediction was wrong: removes its effects for that seat. */
  readonly undone: readonly (0 | 1)[];
}

const SECONDS: Readonly<Record<EffectKind, number>> = {
  hit: 0.26,
  heavy: 0.36,
  block: 0.24,
  dust: 0.42,
  fizzle: 0.3,
};
const HEAVY_DAMAGE = 80;

export function eventsOf(before: FightState, after: FightState): SceneEvents {
  const effects: Effect[] = [];
  const cues: { cue: SoundCue; loudness: number }[] = [];
  const undone: (0 | 1)[] = [];
  let shake = 0;
  const isNewRound = after.phase === 'ready' && before.phase !== 'ready';
  if (isNewRound) return { effects, cues, shake, undone: [0, 1] };
  for (const seat of [0, 1] as const) {
    const [was, is] = [before.fighters[seat], after.fighters[seat]];
    const other = after.fighters[seat === 0 ? 1 : 0];
    const add = (kind: EffectKind, x: number, y: number): void => {
      const turn = ((is.x + is.health * 7 + after.tick * 3) % 97) / 97;
      const facing = -is.facing;
      effects.push({ kind, x, y, facing, turn, age: 0, length: SECONDS[kind], seat });
    };
    const addCue = (cue: SoundCue, loudness: number): void => void cues.push({ cue, loudness });
    if (is.health > was.health) undone.push(seat);
    if (isStruck(was, is)) {
      const lost = was.health - is.health;
      const isHard = lost >= HEAVY_DAMAGE || is.health === 0;
      const [x, y] = contactOf(is, other);
      add(isHard ? 'heavy' : 'hit', x, y);
      addCue(other.move === 'throw' ? 'throw' : isHard ? 'hitHeavy' : 'hit', 1);
      shake = Math.max(shake, is.health === 0 ? 1 : isHard ? 0.55 : 0.18);
    } else if (is.act === 'block' && (was.act !== 'block' || is.stun > was.stun)) {
      const [x, y] = contactOf(is, other);
      add('block', x, y);
      addCue('block', 0.9);
    }
    addMoveCues(was, is, add, addCue);
  }
  return { effects, cues, shake, undone };
}

function isStruck(was: Fighter, is: Fighter): boolean {
  return is.health < was.health && is.act !== 'block';
}

/** Where an attack has hit: at the edge of the body, at the attack's height. */
function contactOf(struck: Fighter, attacker: Fighter): readonly [number, number] {
  const box = attacker.move === null ? null : MOVES[attacker.move].hitBox;
  const x = struck.x + struck.facing * 190;
  if (box === null) return [x, (BOLT_LOW + BOLT_HIGH) / 2];
  const middle = attacker.y + (box.low + box.high) / 2;
  const [low, high] = [struck.y + 150, struck.y + (struck.isCrouching ? 1_000 : 1_550)];
  return [x, Math.min(high, Math.max(low, middle))];
}

function addMoveCues(
  was: Fighter,
  is: Fighter,
  add: (kind: EffectKind, x: number, y: number) => void,
  addCue: (cue: SoundCue, loudness: number) => void,
): void {
  if (is.move !== null && (was.move !== is.move || is.age < was.age)) {
    const isBig = MOVES[is.move].damage >= HEAVY_DAMAGE;
    addCue(is.move === 'bolt' ? 'charge' : isBig ? 'swingHeavy' : 'swing', 0.6);
  }
  if (is.boltFacing !== 0 && was.boltFacing === 0) addCue('bolt', 0.8);
  if (is.boltFacing === 0 && was.boltFacing !== 0) add('fizzle', was.boltX, 1_100);
  if (is.act === was.act) return;
  if (is.act === 'air' && was.act === 'prejump') {
    add('dust', is.x, 30);
    addCue('jump', 0.5);
  } else if (is.act === 'landing') {
    add('dust', is.x, 30);
    addCue('land', 0.4);
  } else if (is.act === 'dash' || is.act === 'backdash') {
    add('dust', is.x, 30);
    addCue('swing', 0.4);
  } else if (is.act === 'down') {
    add('dust', is.x - is.facing * 300, 30);
    addCue('fall', 0.9);
  }
}
