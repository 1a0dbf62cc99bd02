/** The state that the board's functions share, and values derived from it. */

import type { Place } from '../../../../../src/games/pool/rack.ts';
import type { BoardHost, BoardState } from '../board-view.ts';
import type { Prediction } from './aim.ts';
import type { Facing } from './playback.ts';
import type { Projection } from './projection.ts';
import type { Drag } from './stroke.ts';
import type { Settings, Tools } from './tools.ts';
import { speedOf } from './tools.ts';
import type { Tray } from './tray.ts';
import type { Ball, PoolView } from './view.ts';
import { needsCall, ownBalls } from './view.ts';

/** By a tap on the ball, or by the list next to the table. */
export interface Called {
  ball: 'tap' | 'list' | null;
  pocket: boolean;
}

/** One table on the page. */
export interface Table {
  readonly host: BoardHost;
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly tools: Tools;
  readonly tray: Tray;
  /** A message over the cloth: a foul, or a shot without effect. */
  readonly banner: HTMLElement;
  readonly settings: Settings;
  readonly facings: Map<number, Facing>;
  at: Projection;
  state: BoardState | null;
  view: PoolView;
  /** Radians; 0 towards the foot. */
  aim: number;
  place: Place | null;
  prediction: Prediction | null;
  /** The player's call for this shot; the rest follows the aim. */
  called: Called;
  /** The balls as they are shown now, in a playback or at rest. */
  balls: readonly Ball[];
  /** Counts playbacks: an older one stops when there is a newer one. */
  playing: number;
  busy: boolean;
  /** The shot whose foul has been announced: a later choice adds nothing. */
  announcedShot: number;
  drag: Drag | null;
  /** A second finger, which turns the aim finely, and its last position. */
  finger: { readonly id: number; readonly x: number } | null;
}

export function makeSettings(): Settings {
  return {
    power: 0.45,
    side: 0,
    follow: 0,
    elevation: 0,
    ball: null,
    pocket: null,
    safety: false,
    pushOut: false,
  };
}

export const mayAct = ({ state, busy }: Table): boolean => state?.canMove === true && !busy;
export const mayShoot = (table: Table): boolean => mayAct(table) && table.view.choices.length === 0;

/** The balls with the cue ball where it would be shot from. */
export function ballsToShoot({ view, place }: Table): readonly Ball[] {
  if (place === null) return view.balls;
  const others = view.balls.filter(({ n }) => n !== 0);
  return [{ n: 0, x: place[0], y: place[1] }, ...others];
}

export function cueBall(table: Table): Ball | null {
  return ballsToShoot(table).find(({ n }) => n === 0) ?? null;
}

export function strikeOf({ aim, settings }: Table) {
  const { power, side, follow, elevation } = settings;
  return { aim, speed: speedOf(power), side, follow, elevation };
}

export function shoot(table: Table): void {
  const { settings, place, view, host, state } = table;
  if (!mayShoot(table)) return;
  const { ball, pocket, safety, pushOut } = settings;
  const seat = state!.seat!;
  const isSafety = safety && view.variant === 'eightball' && !view.isBreak;
  const isCalled = needsCall(view, seat) && !isSafety && ball !== null && pocket !== null;
  host.play({
    shot: strikeOf(table),
    ...(place !== null && { place: { x: place[0], y: place[1] } }),
    ...(isCalled && { call: { ball, pocket } }),
    ...(isSafety && { safety: true }),
    ...(pushOut && view.mayPushOut && { pushOut: true }),
  });
}

export function aimAt(table: Table, x: number, y: number): void {
  const cue = cueBall(table);
  if (cue !== null) table.aim = Math.atan2(y - cue.y, x - cue.x);
}

/** Between -π and π, well within what the game accepts. */
export function wrap(angle: number): number {
  return Math.atan2(Math.sin(angle), Math.cos(angle));
}

/** Aims at the player's next ball. */
export function nextBall(table: Table): void {
  const { view, state, prediction } = table;
  const own = ownBalls(view, state?.seat ?? 0);
  const index = own.findIndex(({ n }) => n === prediction?.contact?.ball.n);
  const next = own[(index + 1) % own.length];
  if (next !== undefined) aimAt(table, next.x, next.y);
}
