/** One fighter's part of a tick: its acts and its movement. */

import { BUTTONS, DASH, HEAVY, isDown, isUp, LIGHT, SPECIAL, sideways, THROW } from './controls.ts';
import type { MoveName } from './moves.ts';
import { MOVES, totalTicks } from './moves.ts';
import {
  BACKDASH_MOVES,
  BACKDASH_SPEED,
  BACKDASH_TICKS,
  BOLT_START,
  BUFFER_TICKS,
  DASH_SPEED,
  DASH_TICKS,
  DOWN_TICKS,
  GRAVITY,
  JUMP_SIDEWAYS,
  JUMP_UP,
  LANDING_TICKS,
  PREJUMP_TICKS,
  WALK_BACK,
  WALK_FORWARD,
  X_MAX,
  X_MIN,
} from './stage.ts';
import type { Act, Draft } from './state.ts';

/** Reads this tick's mask; a button that has just been pressed counts for a while. */
export function takeMask(fighter: Draft, mask: number): void {
  const pressed = mask & ~fighter.held & BUTTONS;
  fighter.held = mask;
  if (pressed === 0) return;
  fighter.wanted = pressed;
  fighter.wantedFor = BUFFER_TICKS;
}

/**
 * Lets the fighter act and move for one tick. Returns how far a wall stopped it from sliding, in
 * millimetres, which the other has to make up; the caller checks the bounds.
 */
export function act(fighter: Draft, mask: number, otherX: number): number {
  fighter.age += 1;
  if (isDone(fighter)) finish(fighter, mask);
  if (fighter.act === 'free') {
    face(fighter, otherX);
    begin(fighter, mask);
  } else if (fighter.act === 'air') beginInAir(fighter);
  else if (fighter.act === 'attack') cancel(fighter, mask);
  if (fighter.wantedFor > 0) fighter.wantedFor -= 1;
  if (fighter.wantedFor === 0) fighter.wanted = 0;
  return move(fighter, mask);
}

export function enter(fighter: Draft, next: Act): void {
  fighter.act = next;
  fighter.age = 1;
  fighter.move = null;
  fighter.hasContact = false;
}

function isDone({ act: current, age, stun, move: attack, health }: Draft): boolean {
  switch (current) {
    case 'dash':
      return age > DASH_TICKS;
    case 'backdash':
      return age > BACKDASH_TICKS;
    case 'prejump':
      return age > PREJUMP_TICKS;
    case 'landing':
      return age > LANDING_TICKS;
    case 'attack':
      return age > totalTicks(MOVES[attack!]);
    case 'hit':
    case 'block':
      return stun === 0;
    case 'down':
      return stun === 0 && health > 0;
    case 'free':
    case 'air':
    case 'fall':
      return false;
  }
}

function finish(fighter: Draft, mask: number): void {
  if (fighter.act === 'prejump') {
    const side = sideways(mask);
    enter(fighter, 'air');
    fighter.vx = side * JUMP_SIDEWAYS;
    fighter.vy = JUMP_UP;
    fighter.isCrouching = false;
    return;
  }
  enter(fighter, fighter.y > 0 ? 'air' : 'free');
  fighter.row = 0;
}

/** Directly above each other they keep their direction. */
function face(fighter: Draft, otherX: number): void {
  if (otherX > fighter.x) fighter.facing = 1;
  else if (otherX < fighter.x) fighter.facing = -1;
}

function begin(fighter: Draft, mask: number): void {
  const { wanted } = fighter;
  const isLow = isDown(mask);
  fighter.isCrouching = isLow;
  const attack = groundAttack(fighter, isLow);
  if (attack !== null) attackWith(fighter, attack);
  else if (wanted & DASH) {
    enter(fighter, sideways(mask) === -fighter.facing ? 'backdash' : 'dash');
    fighter.isCrouching = false;
    fighter.wanted = 0;
  } else if (isUp(mask)) enter(fighter, 'prejump');
}

/** Of several buttons the strongest attack. A fighter has one bolt at a time. */
function groundAttack({ wanted, boltFacing }: Draft, isLow: boolean): MoveName | null {
  if (wanted === 0) return null;
  if (wanted & THROW) return 'throw';
  if (wanted & SPECIAL && isLow) return 'rise';
  if (wanted & SPECIAL && boltFacing === 0) return 'bolt';
  if (wanted & HEAVY) return isLow ? 'sweep' : 'heavy';
  if (wanted & LIGHT) return isLow ? 'lowLight' : 'light';
  return null;
}

function beginInAir(fighter: Draft): void {
  if (fighter.wanted & HEAVY) attackWith(fighter, 'airHeavy');
  else if (fighter.wanted & LIGHT) attackWith(fighter, 'airLight');
}

/** An attack that has hit may be cancelled into a special. */
function cancel(fighter: Draft, mask: number): void {
  if (!fighter.hasContact || !(fighter.wanted & SPECIAL)) return;
  if (!MOVES[fighter.move!].cancels) return;
  if (isDown(mask)) attackWith(fighter, 'rise');
  else if (fighter.boltFacing === 0) attackWith(fighter, 'bolt');
}

function attackWith(fighter: Draft, name: MoveName): void {
  enter(fighter, 'attack');
  fighter.move = name;
  fighter.wanted = 0;
  fighter.isCrouching = MOVES[name].stance === 'crouch';
}

function move(fighter: Draft, mask: number): number {
  switch (fighter.act) {
    case 'free':
      walk(fighter, mask);
      return 0;
    case 'dash':
      fighter.x += fighter.facing * DASH_SPEED;
      return 0;
    case 'backdash':
      if (fighter.age <= BACKDASH_MOVES) fighter.x -= fighter.facing * BACKDASH_SPEED;
      return 0;
    case 'attack':
      sendBolt(fighter);
      if (MOVES[fighter.move!].stance === 'air') fly(fighter);
      return 0;
    case 'air':
    case 'fall':
      fly(fighter);
      return 0;
    case 'hit':
    case 'block':
      return slide(fighter);
    case 'down':
      if (fighter.stun > 0) fighter.stun -= 1;
      return 0;
    case 'prejump':
    case 'landing':
      return 0;
  }
}

function walk(fighter: Draft, mask: number): void {
  if (fighter.isCrouching) return;
  const side = sideways(mask);
  fighter.x += side * (side === fighter.facing ? WALK_FORWARD : WALK_BACK);
}

function sendBolt(fighter: Draft): void {
  if (fighter.move !== 'bolt' || fighter.age !== MOVES.bolt.startup) return;
  fighter.boltFacing = fighter.facing;
  fighter.boltX = fighter.x + fighter.facing * BOLT_START;
}

function fly(fighter: Draft): void {
  fighter.x += fighter.vx;
  fighter.y += fighter.vy;
  fighter.vy -= GRAVITY;
  if (fighter.y > 0) return;
  fighter.y = 0;
  fighter.vx = 0;
  fighter.vy = 0;
  if (fighter.act === 'fall') {
    enter(fighter, 'down');
    fighter.stun = DOWN_TICKS;
  } else enter(fighter, 'landing');
}

/** Fast at first and slower towards the end of the stun, for exactly the whole distance. */
function slide(fighter: Draft): number {
  const distance = Math.trunc((2 * fighter.slide) / (fighter.stun + 1));
  fighter.slide -= distance;
  fighter.stun -= 1;
  const to = fighter.x + distance;
  fighter.x = Math.min(X_MAX, Math.max(X_MIN, to));
  return to - fighter.x;
}
