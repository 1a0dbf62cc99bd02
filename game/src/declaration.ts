/** What a game says of itself, held against what the service takes. */

import type { AnyGame, OptionSpec, SeatRange } from './game.ts';
import { SEATS_MAX } from './game.ts';

/** Bounds of a turn's time: the declared one and what `turnLimitMs` answers. Milliseconds. */
export const TURN_MS = { min: 1_000, max: 14 * 24 * 60 * 60 * 1_000 } as const;
/** A session's own options: a game's options may not be called so. */
const SESSION_OPTIONS = ['turnTimeoutMs', 'clock', 'disconnectGraceMs', 'afk', 'botDifficulty'];

const GAME_ID = /^[a-z][a-z0-9-]{1,31}$/;
const VARIANT = /^[a-z][a-z0-9_-]{0,31}$/;
const OPTION = /^[a-z][a-zA-Z0-9]{0,31}$/;
const CHOICE_MAX_CHARS = 32;

/** Every member of a game; the compiler holds it complete. */
export const MEMBERS: Readonly<Record<keyof AnyGame, 'needed' | 'optional'>> = {
  id: 'needed',
  rulesVersion: 'needed',
  seats: 'needed',
  variantSeats: 'optional',
  variants: 'needed',
  options: 'needed',
  turnTimeoutMs: 'needed',
  drawOffers: 'needed',
  openInformation: 'needed',
  ticks: 'optional',
  initial: 'needed',
  deal: 'optional',
  turn: 'needed',
  acting: 'optional',
  parseAction: 'needed',
  actionFault: 'optional',
  legalActions: 'needed',
  apply: 'needed',
  view: 'needed',
  showAction: 'optional',
  imagine: 'optional',
  outcome: 'needed',
  missTurn: 'optional',
  turnLimitMs: 'optional',
  hasMissedOut: 'optional',
  forfeit: 'optional',
  isOut: 'optional',
  hasWinner: 'optional',
  timeLimitMs: 'optional',
  timeUp: 'optional',
  makeNotation: 'needed',
  parseNotation: 'needed',
};

/** Members that come only together with another, and why. */
const TOGETHER: readonly (readonly [keyof AnyGame, keyof AnyGame])[] = [
  ['timeLimitMs', 'timeUp'],
  ['timeUp', 'timeLimitMs'],
  ['hasMissedOut', 'missTurn'],
];

/** What is wrong with a game's declaration, a sentence each; empty when nothing is. */
export function declarationFaults(game: AnyGame): readonly string[] {
  const missing = memberFaults(game);
  // What follows reads the members.
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
    ([name, need]) => need === 'needed' && game[name as keyof AnyGame] === undefined,
  );
  return [
    ...unknown.map((name) => `${name} is no member of a game`),
    ...missing.map(([name]) => `${name} is missing`),
  ];
}

function nameFaults({ id, rulesVersion, variants, turnTimeoutMs }: AnyGame): readonly string[] {
  const { min, max } = TURN_MS;
  return faultsOf([
    [GAME_ID.test(id), 'id has to be 2 to 32 lower-case letters, digits and hyphens'],
    [isWhole(rulesVersion, 1), 'rulesVersion has to be a whole number from 1'],
    [variants.length > 0, 'variants has to name at least one'],
    [new Set(variants).size === variants.length, 'variants has to name each one once'],
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
      [variants.includes(name), `variantSeats.${name} has to be one of the variants`],
      [isRange(range), `variantSeats.${name} ${wanted}`],
    ]),
  ]);
}

function optionFaults(name: string, spec: OptionSpec): readonly string[] {
  return faultsOf([
    [OPTION.test(name), `option ${name} has to match ${OPTION}`],
    [!SESSION_OPTIONS.includes(name), `option ${name} is one that every session has`],
    [isSound(spec), `option ${name} has to be of a known kind, with a default within its bounds`],
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

/** What follows from the kind of the game. */
function kindFaults(game: AnyGame): readonly string[] {
  const { seats, ticks } = game;
  const isHidden = !game.openInformation;
  return faultsOf([
    [ticks === undefined || game.acting === undefined, 'acting is not for games that run by ticks'],
    [ticks === undefined || isTickRules(ticks), 'ticks has to have sound rates, step and tickOf'],
    [!isHidden || game.imagine !== undefined, 'imagine is needed where openInformation is false'],
    [
      seats.max <= 2 || game.forfeit !== undefined,
      'forfeit is needed where there may be more than two seats: the others play on',
    ],
    ...TOGETHER.map(
      ([name, other]): Rule => [
        game[name] === undefined || game[other] !== undefined,
        `${name} is of no use without ${other}`,
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

/** Whether it holds, and what to say where it does not. */
type Rule = readonly [holds: boolean, fault: string];

function faultsOf(rules: readonly Rule[]): readonly string[] {
  return rules.flatMap(([holds, fault]) => (holds ? [] : [fault]));
}

function isWhole(value: number, min = -Infinity, max = Infinity): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max;
}
