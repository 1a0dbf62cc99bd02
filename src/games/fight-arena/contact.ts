/** The fighters' interaction: pushing, hits, blocks, throws and bolts. No seat goes first. */

import { boltReaches, hitBox, isOutOfReach, reaches } from './body.ts';
import { isDown, sideways } from './controls.ts';
import { enter } from './fighter.ts';
import type { Level, MoveName } from './moves.ts';
import { isActive, MOVES } from './moves.ts';
import {
  BODY_HEIGHT,
  BODY_WIDTH,
  BOLT_HALF,
  BOLT_SPEED,
  BREAK_SLIDE,
  BREAK_STUN,
  FALL_BACK,
  FALL_UP,
  ROW_PARTS,
  STAGE_WIDTH,
  WALL_PUSH_REACH,
  X_MAX,
  X_MIN,
} from './stage.ts';
import type { Draft, Facing } from './state.ts';

/** If a wall stops `from` from sliding, the other slides the rest, if it is near. */
export function passOn(excess: number, from: Draft, to: Draft): void {
  const isNear = Math.abs(from.x - to.x) <= WALL_PUSH_REACH;
  if (excess !== 0 && isNear && to.y === 0) to.x -= excess;
}

export function keepOnStage(fighter: Draft): void {
  if (fighter.x < X_MIN) fighter.x = X_MIN;
  else if (fighter.x > X_MAX) fighter.x = X_MAX;
}

/** Bodies do not overlap: both move apart, and if a wall stops one, the other moves more. */
export function pushApart(a: Draft, b: Draft): void {
  if (a.act === 'down' || b.act === 'down') return;
  if (Math.abs(a.y - b.y) >= BODY_HEIGHT) return;
  const overlap = BODY_WIDTH - Math.abs(b.x - a.x);
  const side = sideOf(a, b);
  if (overlap <= 0 || side === 0) return;
  const half = (overlap + 1) >> 1;
  a.x -= side * half;
  b.x += side * half;
  keepOnStage(a);
  keepOnStage(b);
  const missing = BODY_WIDTH - Math.abs(b.x - a.x);
  if (missing <= 0) return;
  // One of them is at a wall: only the other can move.
  if (a.x === X_MIN || a.x === X_MAX) b.x += side * missing;
  else a.x -= side * missing;
}

/** On which side of `a` is `b`. If both are in the same place, the one that faces right is on the left. */
function sideOf(a: Draft, b: Draft): Facing | 0 {
  if (b.x !== a.x) return b.x > a.x ? 1 : -1;
  return a.facing === b.facing ? 0 : a.facing;
}

/** Moves bolts; two that meet destroy each other, and the ends of the stage stop them. */
export function flyBolts(a: Draft, b: Draft): void {
  flyBolt(a);
  flyBolt(b);
  if (a.boltFacing === 0 || b.boltFacing === 0 || a.boltFacing === b.boltFacing) return;
  if (Math.abs(a.boltX - b.boltX) > 2 * BOLT_HALF) return;
  dropBolt(a);
  dropBolt(b);
}

function flyBolt(fighter: Draft): void {
  if (fighter.boltFacing === 0) return;
  fighter.boltX += fighter.boltFacing * BOLT_SPEED;
  if (fighter.boltX < 0 || fighter.boltX > STAGE_WIDTH) dropBolt(fighter);
}

function dropBolt(fighter: Draft): void {
  fighter.boltX = 0;
  fighter.boltFacing = 0;
}

/**
 * Performs this tick's hits. Both sides are judged before either is changed, so two simultaneous
 * attacks both hit. Returns for how many ticks both stand still.
 */
export function meet(a: Draft, b: Draft): number {
  if (!mayMeet(a) && !mayMeet(b)) return 0;
  const aMove = strikeOf(a, b);
  const bMove = strikeOf(b, a);
  const aBlocks = bMove !== null && isBlocking(a, MOVES[bMove].level);
  const bBlocks = aMove !== null && isBlocking(b, MOVES[aMove].level);
  const aIsBolt = aMove === 'bolt';
  const bIsBolt = bMove === 'bolt';
  const aThrows = bMove === null && aMove === null && throws(a, b);
  const bThrows = aMove === null && bMove === null && throws(b, a);
  const aPush = aIsBolt ? (a.boltFacing as Facing) : a.facing;
  const bPush = bIsBolt ? (b.boltFacing as Facing) : b.facing;
  if (aMove !== null) noteContact(a, aIsBolt);
  if (bMove !== null) noteContact(b, bIsBolt);
  let stop = 0;
  if (aMove !== null) stop = take(b, aMove, aPush, bBlocks);
  if (bMove !== null) stop = Math.max(stop, take(a, bMove, bPush, aBlocks));
  if (aThrows || bThrows) stop = grapple(a, b, aThrows, bThrows);
  return stop;
}

/** In most ticks nothing can hit. */
function mayMeet({ move, boltFacing }: Draft): boolean {
  return move !== null || boltFacing !== 0;
}

/** What hits the other in this tick: the current attack has priority over the bolt. */
function strikeOf(one: Draft, other: Draft): MoveName | null {
  if (isOutOfReach(other)) return null;
  const box = hitBox(one);
  if (box !== null && one.move !== 'throw' && reaches(one, box, other)) return one.move;
  return boltReaches(one, other) ? 'bolt' : null;
}

function noteContact(attacker: Draft, isBolt: boolean): void {
  if (isBolt) dropBolt(attacker);
  else attacker.hasContact = true;
}

/** Holding away from the other, high or low as the attack requires; block stun continues a block. */
function isBlocking({ act, y, held, facing }: Draft, level: Level): boolean {
  const isUp = act === 'block' || (act === 'free' && sideways(held) === -facing);
  if (!isUp || y > 0 || level === 'throw') return false;
  if (level === 'mid') return true;
  return isDown(held) === (level === 'low');
}

function take(target: Draft, name: MoveName, push: Facing, isBlocked: boolean): number {
  const { damage, chip, hitstun, blockstun, pushback, knocksDown, stop } = MOVES[name];
  hurt(target, isBlocked ? chip : scaled(damage, target.row));
  if (isBlocked && target.health > 0) stun(target, 'block', blockstun, push * pushback);
  else {
    target.row += 1;
    if (knocksDown || target.y > 0 || target.health === 0) fell(target, push);
    else stun(target, 'hit', hitstun, push * pushback);
  }
  return stop;
}

/** Each hit of a long combo does less damage. */
export function scaled(damage: number, row: number): number {
  const part = ROW_PARTS[Math.min(row, ROW_PARTS.length - 1)]!;
  return Math.trunc((damage * part) / 100);
}

function hurt(target: Draft, damage: number): void {
  target.health = Math.max(0, target.health - damage);
}

function stun(target: Draft, act: 'hit' | 'block', ticks: number, distance: number): void {
  enter(target, act);
  target.stun = ticks;
  target.slide = distance;
  target.isCrouching = isDown(target.held);
}

function fell(target: Draft, push: Facing): void {
  enter(target, 'fall');
  target.stun = 0;
  target.slide = 0;
  target.isCrouching = false;
  target.vx = push * FALL_BACK;
  target.vy = FALL_UP;
}

/** Whether the fighter's throw grabs the other in this tick. */
function throws(one: Draft, other: Draft): boolean {
  if (one.move !== 'throw' || isOutOfReach(other) || other.y > 0) return false;
  const box = hitBox(one);
  return box !== null && canBeHeld(other) && reaches(one, box, other);
}

function canBeHeld({ act }: Draft): boolean {
  return act !== 'hit' && act !== 'block' && act !== 'prejump';
}

/** Simultaneous throws cancel each other. */
function grapple(a: Draft, b: Draft, aThrows: boolean, bThrows: boolean): number {
  if (isReaching(a) && isReaching(b)) {
    const side = sideOf(a, b) || a.facing;
    stun(a, 'block', BREAK_STUN, -side * BREAK_SLIDE);
    stun(b, 'block', BREAK_STUN, side * BREAK_SLIDE);
  } else if (aThrows) hold(a, b);
  else if (bThrows) hold(b, a);
  return MOVES.throw.stop;
}

/** In a throw that has not grabbed yet. */
function isReaching({ move, age, hasContact }: Draft): boolean {
  const { throw: grip } = MOVES;
  return move === 'throw' && !hasContact && (age < grip.startup || isActive(grip, age));
}

function hold(thrower: Draft, target: Draft): void {
  thrower.hasContact = true;
  hurt(target, MOVES.throw.damage);
  fell(target, thrower.facing);
}
