/** A player's action, a shot or a choice, as JSON and as one line of text. */

import { fieldFault, ownField, wholeNumberFault } from '../../../game/src/field.ts';
import type { Strike } from './physics/strike.ts';
import type { Pocket } from './physics/table.ts';
import { POCKETS } from './physics/table.ts';

/** The choices that the rules may offer instead of a shot. */
export const CHOICES = ['accept', 'rerack', 'pass', 'spot'] as const;
export type Choice = (typeof CHOICES)[number];

/** A ball and a pocket: called, or fallen. */
export type Call = { readonly ball: number; readonly pocket: Pocket };

export type ShotAction = {
  /** The five values of a `Strike`; `side`, `follow` and `elevation` default to 0. */
  readonly shot: Strike;
  /** The called ball and pocket. */
  readonly call?: Call;
  /** The turn passes, whatever falls. */
  readonly safety?: true;
  /** After a break: a shot that need not hit anything. */
  readonly pushOut?: true;
  /** Where to put the cue ball, when it is in hand. */
  readonly place?: { readonly x: number; readonly y: number };
};

export type PoolAction = ShotAction | { readonly choose: Choice };

/** The highest number on a ball. */
const BALL_MAX = 15;

/** Validates untrusted input: null if the shape is wrong. Legality is checked later. */
export function parseAction(input: unknown): PoolAction | null {
  const choose = ownField(input, 'choose');
  const shot = ownField(input, 'shot');
  if (choose === undefined) return shot === undefined ? null : parseShot(input, shot);
  const choice = CHOICES.find((each) => each === choose);
  return choice === undefined || shot !== undefined ? null : { choose: choice };
}

function parseShot(input: unknown, shot: unknown): ShotAction | null {
  const strike = parseStrike(shot);
  const call = optional(ownField(input, 'call'), parseCall);
  const place = optional(ownField(input, 'place'), parsePlace);
  const safety = optional(ownField(input, 'safety'), parseTrue);
  const pushOut = optional(ownField(input, 'pushOut'), parseTrue);
  if (strike === null || call === null || place === null) return null;
  if (safety === null || pushOut === null) return null;
  return {
    shot: strike,
    ...(call && { call }),
    ...(safety && { safety }),
    ...(pushOut && { pushOut }),
    ...(place && { place }),
  };
}

export function actionFault(input: unknown): string | null {
  const choose = ownField(input, 'choose');
  const shot = ownField(input, 'shot');
  if (choose === undefined)
    return shot === undefined ? 'shot or choose is required' : shotFault(input, shot);
  if (shot !== undefined) return 'shot and choose cannot both be given';
  const isChoice = (value: unknown) => CHOICES.some((each) => each === value);
  return fieldFault(choose, 'choose', isChoice, `one of ${CHOICES.join(', ')}`);
}

function shotFault(input: unknown, shot: unknown): string | null {
  for (const name of ['aim', 'speed', 'side', 'follow', 'elevation']) {
    const value = ownField(shot, name);
    const mayLack = name !== 'aim' && name !== 'speed';
    if (mayLack && value === undefined) continue;
    const fault = fieldFault(value, `shot.${name}`, Number.isFinite, 'a number');
    if (fault !== null) return fault;
  }
  for (const name of ['safety', 'pushOut']) {
    const value = ownField(input, name);
    if (value !== undefined && value !== true) return `${name} has to be true, or left out`;
  }
  return placeFault(ownField(input, 'place')) ?? callFault(ownField(input, 'call'));
}

function placeFault(place: unknown): string | null {
  if (place === undefined) return null;
  return (
    fieldFault(ownField(place, 'x'), 'place.x', Number.isFinite, 'a number') ??
    fieldFault(ownField(place, 'y'), 'place.y', Number.isFinite, 'a number')
  );
}

function callFault(call: unknown): string | null {
  if (call === undefined) return null;
  const isPocket = (value: unknown) => POCKETS.some((each) => each === value);
  return (
    wholeNumberFault(ownField(call, 'ball'), 'call.ball', 1, BALL_MAX) ??
    fieldFault(ownField(call, 'pocket'), 'call.pocket', isPocket, `one of ${POCKETS.join(', ')}`)
  );
}

/** An optional field: undefined if absent, null if wrong. */
function optional<T>(value: unknown, parse: (value: unknown) => T | null): T | null | undefined {
  return value === undefined ? undefined : parse(value);
}

function parseTrue(value: unknown): true | null {
  return value === true ? true : null;
}

/** A finite number, never -0: equal numbers must have equal text. */
function parseNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null;
}

/** A strike in wire form; its bounds are not checked here. */
function parseStrike(input: unknown): Strike | null {
  const read = (name: string, absent: number | null): number | null => {
    const value = ownField(input, name);
    return value === undefined ? absent : parseNumber(value);
  };
  const aim = read('aim', null);
  const speed = read('speed', null);
  const side = read('side', 0);
  const follow = read('follow', 0);
  const elevation = read('elevation', 0);
  if (aim === null || speed === null || side === null) return null;
  return follow === null || elevation === null ? null : { aim, speed, side, follow, elevation };
}

function parseCall(input: unknown): Call | null {
  const ball = ownField(input, 'ball');
  const name = ownField(input, 'pocket');
  const pocket = POCKETS.find((each) => each === name);
  if (typeof ball !== 'number' || !Number.isInteger(ball) || pocket === undefined) return null;
  return ball >= 1 && ball <= BALL_MAX ? { ball, pocket } : null;
}

function parsePlace(input: unknown): { readonly x: number; readonly y: number } | null {
  const x = parseNumber(ownField(input, 'x'));
  const y = parseNumber(ownField(input, 'y'));
  return x === null || y === null ? null : { x, y };
}

/** The action as text, in a fixed order: `@ -0.6 0.1 aim 0 8 0 0 0 call 3 foot-left`. */
export function writeAction(action: PoolAction): string {
  if ('choose' in action) return action.choose;
  const { aim, speed, side, follow, elevation } = action.shot;
  const { place, call } = action;
  return [
    ...(place === undefined ? [] : ['@', place.x, place.y]),
    'aim',
    aim,
    speed,
    side,
    follow,
    elevation,
    ...(call === undefined ? [] : ['call', call.ball, call.pocket]),
    ...(action.safety === true ? ['safety'] : []),
    ...(action.pushOut === true ? ['push-out'] : []),
  ].join(' ');
}

const NUMBER = String.raw`(-?\d+(?:\.\d+)?(?:e[+-]\d+)?)`;
const WRITTEN = new RegExp(
  `^(?:@ ${NUMBER} ${NUMBER} )?aim ${Array(5).fill(NUMBER).join(' ')}` +
    String.raw`(?: call (\d{1,2}) ([a-z-]{1,16}))?( safety)?( push-out)?$`,
);
/** Longer than any action's text. */
const TEXT_MAX = 400;

/** Parses what `writeAction` writes; null for anything else. */
export function readAction(text: string): PoolAction | null {
  if (text.length > TEXT_MAX) return null;
  const choice = CHOICES.find((each) => each === text);
  if (choice !== undefined) return { choose: choice };
  const found = WRITTEN.exec(text);
  if (found === null) return null;
  const [, x, y, aim, speed, side, follow, elevation, ball, pocket, safety, pushOut] = found;
  const figures = { aim, speed, side, follow, elevation };
  return parseAction({
    shot: Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value)])),
    ...(ball !== undefined && { call: { ball: Number(ball), pocket } }),
    ...(safety !== undefined && { safety: true }),
    ...(pushOut !== undefined && { pushOut: true }),
    ...(x !== undefined && { place: { x: Number(x), y: Number(y) } }),
  });
}
