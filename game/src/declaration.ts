/** Validates a game's declaration: its members, names, bounds and required combinations. */

import type { AnyGame, OptionSpec, SeatRange } from './game.ts';
import { SEATS_MAX } from './game.ts';

/** Bounds of `turnTimeoutMs` and of the result of `turnLimitMs`. Milliseconds. */
export const TURN_MS = { min: 1_000, max: 14 * 24 * 60 * 60 * 1_000 } as const;
/** Options of every session. A game's options must have other names. */
const SESSION_OPTIONS = ['turnTimeoutMs', 'clock', 'disconnectGraceMs', 'afk', 'botDifficulty'];

const GAME_ID = /^[a-z][a-z0-9-]{1,31}$/;
const VARIANT = /^[a-z][a-z0-9_-]{0,31}$/;
const OPTION = /^[a-z][a-zA-Z0-9]{0,31}$/;
const CHOICE_MAX_CHARS = 32;

/** Every member of a game. The type keeps the list complete. */
export const MEMBERS: Readonly<Record<keyof AnyGame, 'required' | 'optional'>> = {
  id: 'required',
  rulesVersion: 'required',
  seats: 'required',
  variantSeats: 'optional',
  variants: 'required',
  options: 'required',
  turnTimeoutMs: 'required',
  drawOffers: 'required',
  openInformation: 'required',
  ticks: 'optional',
  initial: 'required',
  deal: 'optional',
  turn: 'required',
  acting: 'optional',
  parseAction: 'required',
  actionFault: 'optional',
  legalActions: 'required',
  apply: 'required',
  view: 'required',
  showAction: 'optional',
  imagine: 'optional',
  outcome: 'required',
  missTurn: 'optional',
  turnLimitMs: 'optional',
  hasMissedOut: 'optional',
  forfeit: 'optional',
  isOut: 'optional',
  hasWinner: 'optional',
  timeLimitMs: 'optional',
  timeUp: 'optional',
  makeNotation: 'required',
  parseNotation: 'required',
};

/** Members that are useless without another one. */
const TOGETHER: readonly (readonly [keyof AnyGame, keyof AnyGame])[] = [
  ['timeLimitMs', 'timeUp'],
  ['timeUp', 'timeLimitMs'],
  ['hasMissedOut', 'missTurn'],
];

/** The faults of a game's declaration, one sentence each. */
export function declarationFaults(game: AnyGame): readonly string[] {
  const missing = memberFaults(game);
  // The other rules read the members.
  if (missing.length > 0) return missing;
  return [
    ...nameFaults(game),
    ...seatFaults(game),
    ...Object.entries(game.options).flatMap(([name, spec]) => optionFaults(name, spec)),
    ...kindFaults(game),
  ];
}

function memberFaults(game: AnyGame): readonly string[] {
  const own = Object.keys(game);
  const unknown = own.filter((name) => !Object.hasOwn(MEMBERS, name));
  const missing = Object.entries(MEMBERS).filter(
    ([name, need]) => need === 'required' && game[name as keyof AnyGame] === undefined,
  );
  return [
    ...unknown.map((name) => `${name} is not a member of a game`),
    ...missing.map(([name]) => `${name} is missing`),
  ];
}

function nameFaults({ id, rulesVersion, variants, turnTimeoutMs }: AnyGame): readonly string[] {
  const { min, max } = TURN_MS;
  return faultsOf([
    [GAME_ID.test(id), 'id has to be 2 to 32 lower-case letters, digits and hyphens'],
    [isWhole(rulesVersion, 1), 'rulesVersion has to be a whole number from 1'],
    [variants.length > 0, 'variants has to have at least one name'],
    [new Set(variants).size === variants.length, 'variants has to have distinct names'],
    ...variants.map(
      (name): Rule => [VARIANT.test(name), `variant ${name} has to match ${VARIANT}`],
    ),
    [isWhole(turnTimeoutMs, min, max), `turnTimeoutMs has to be ${min} to ${max}`],
  ]);
}

function seatFaults({ seats, variants, variantSeats = {} }: AnyGame): readonly string[] {
  const isRange = ({ min, max }: SeatRange): boolean =>
    isWhole(min, 1, SEATS_MAX) && isWhole(max, min, SEATS_MAX);
  const wanted = `has to have whole numbers, 1 ≤ min ≤ max ≤ ${SEATS_MAX}`;
  return faultsOf([
    [isRange(seats), `seats ${wanted}`],
    [isWhole(seats.default, seats.min, seats.max), 'seats.default has to be from min to max'],
    ...Object.entries(variantSeats).flatMap(([name, range]): Rule[] => [
      [variants.includes(name), `variantSeats.${name} is not one of the variants`],
      [isRange(range), `variantSeats.${name} ${wanted}`],
    ]),
  ]);
}

function optionFaults(name: string, spec: OptionSpec): readonly string[] {
  return faultsOf([
    [OPTION.test(name), `option ${name} has to match ${OPTION}`],
    [!SESSION_OPTIONS.includes(name), `option ${name} is a session option`],
    [isSound(spec), `option ${name} has to have a known kind and a default within its bounds`],
  ]);
}

function isSound(spec: OptionSpec): boolean {
  switch (spec.kind) {
    case 'integer':
      return isWhole(spec.min) && isWhole(spec.max) && isWhole(spec.default, spec.min, spec.max);
    case 'boolean':
      return typeof spec.default === 'boolean';
    case 'choice':
      return (
        spec.values.includes(spec.default) &&
        new Set(spec.values).size === spec.values.length &&
        spec.values.every((value) => `${value}`.length <= CHOICE_MAX_CHARS)
      );
    default:
      return false;
  }
}

/** Members that a kind of game requires or excludes. */
function kindFaults(game: AnyGame): readonly string[] {
  const { seats, ticks } = game;
  const isHidden = !game.openInformation;
  return faultsOf([
    [ticks === undefined || game.acting === undefined, 'acting and ticks exclude each other'],
    [
      ticks === undefined || isTickRules(ticks),
      'ticks has to have ticksPerSecond and maskMax from 1, step, tickOf, hash and eventsOf',
    ],
    [!isHidden || game.imagine !== undefined, 'imagine is required where openInformation is false'],
    [
      seats.max <= 2 || game.forfeit !== undefined,
      'forfeit is required for more than two seats: the others play on',
    ],
    ...TOGETHER.map(
      ([name, other]): Rule => [
        game[name] === undefined || game[other] !== undefined,
        `${name} requires ${other}`,
      ],
    ),
  ]);
}

function isTickRules(ticks: NonNullable<AnyGame['ticks']>): boolean {
  const { ticksPerSecond, maskMax } = ticks;
  const functions = [ticks.step, ticks.tickOf, ticks.hash, ticks.eventsOf];
  return (
    isWhole(ticksPerSecond, 1) &&
    isWhole(maskMax, 1) &&
    functions.every((each) => typeof each === 'function')
  );
}

/** A condition and the fault if it does not hold. */
type Rule = readonly [holds: boolean, fault: string];

function faultsOf(rules: readonly Rule[]): readonly string[] {
  return rules.flatMap(([holds, fault]) => (holds ? [] : [fault]));
}

function isWhole(value: number, min = -Infinity, max = Infinity): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max;
}
