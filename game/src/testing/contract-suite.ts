/** The contract of games: what every engine has to keep, run against each of them. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import type { AnyGame, GameEvent, Json, Outcome, Refusal, Seat, Setup } from '../game.ts';
import { isRefusal } from '../game.ts';
import { canonicalJson, hashJson } from '../json.ts';
import { makeRandom } from '../random.ts';
import { actionsOf } from './hostile-input.ts';
import { anyJunk, disguised, spoiled } from './junk.ts';
import type { Input, Play, PlayedGame, Position } from './random-play.ts';
import { advance, deepFreeze, makeSetups, playRandomly, randomOf, seatsOf } from './random-play.ts';

/** What the suite has to know about a game beyond the game itself. */
export interface Contract extends Play {
  /** Id of the rule that the titles of the game's tests open with, e.g. `G-TTT`. */
  readonly rule: string;
  /** How many games are played of every setup. */
  readonly gamesPerSetup: number;
  /** True where several seats may act at the same time and `turn` is null while play goes on. */
  readonly simultaneous?: boolean;
  /**
   * For games with secrets: the state with everything changed that `viewer` may not see. Its view
   * has to stay as it was.
   */
  readonly disguise?: (state: Json, viewer: Seat | null) => Json;
}

/** What one check works with. */
interface Subject {
  readonly game: AnyGame;
  readonly contract: Contract;
  /** The random games, played when first asked for. */
  readonly played: () => readonly PlayedGame[];
}

type Check = (subject: Subject) => void;

/** What `GameId` says. */
const GAME_ID = /^[a-z][a-z0-9-]{1,31}$/;
/** Distinct enough that it is found wherever it leaks. */
const SECRET = 'c0ffee5ec2e7'.repeat(4);
const JUNK_RUNS = 1_000;
const REFUSAL_CODES: readonly Refusal['code'][] = [
  'not_your_turn',
  'illegal_move',
  'ambiguous_move',
];

const CHECKS: readonly (readonly [string, Check])[] = [
  ['declares itself within bounds', checkDeclaration],
  ['every setup begins with a position that can be played', checkSetups],
  ['random play ends, with an outcome that fits', checkEnds],
  ['replaying the inputs over stored states gives the same hashes', checkReplay],
  ['somebody is to move exactly while it goes on', checkTurns],
  ['an input changes neither the state nor the action it is given', checkArguments],
  ['a view is plain JSON and shows no secret', checkViews],
  ['what is legal applies, by the seat to move alone', checkLegal],
  ['what is not legal is refused', checkIllegal],
  ['any junk is refused and changes nothing', checkJunk],
  ['an action is its own wire form and brings nothing along', checkActions],
  ['notation round-trips', checkNotation],
];

/** Registers the contract's tests for one game. */
export function gameContractSuite(game: AnyGame, contract: Contract): void {
  describe(`contract of ${game.id}`, () => {
    for (const { what, run } of gameContractChecks(game, contract)) {
      test(`[${contract.rule}] ${what} (seed ${TEST_SEED})`, run);
    }
  });
}

/** The contract's checks themselves; each throws when the game breaks it. */
export function gameContractChecks(
  game: AnyGame,
  contract: Contract,
): readonly { readonly what: string; readonly run: () => void }[] {
  let games: readonly PlayedGame[] | null = null;
  const played = (): readonly PlayedGame[] => {
    games ??= playGames(game, contract);
    return games;
  };
  return CHECKS.map(([what, check]) => ({ what, run: () => check({ game, contract, played }) }));
}

function playGames(game: AnyGame, contract: Contract): readonly PlayedGame[] {
  return makeSetups(game).flatMap((setup, index) =>
    Array.from({ length: contract.gamesPerSetup }, (_, number) => {
      const name = `${game.id} setup ${index} game ${number}`;
      const chooser = makeRandom(`${TEST_SEED}`, () => name, 0);
      try {
        return playRandomly({ game, play: contract, setup, secret: SECRET, chooser });
      } catch (error) {
        throw new Error(`${name} of seed ${TEST_SEED}, ${JSON.stringify(setup)}: ${error}`);
      }
    }),
  );
}

function checkDeclaration({ game }: Subject): void {
  const { seats, options } = game;
  expect(game.id).toMatch(GAME_ID);
  expect(Number.isSafeInteger(game.rulesVersion) && game.rulesVersion >= 1).toBe(true);
  expect(1 <= seats.min && seats.min <= seats.default && seats.default <= seats.max).toBe(true);
  expect(new Set(game.variants).size).toBe(game.variants.length);
  expect(Number.isSafeInteger(game.turnTimeoutMs) && game.turnTimeoutMs > 0).toBe(true);
  for (const spec of Object.values(options)) {
    if (spec.kind === 'choice') expect(spec.values).toContain(spec.default);
    if (spec.kind !== 'integer') continue;
    expect(spec.min <= spec.default && spec.default <= spec.max).toBe(true);
  }
}

function checkSetups({ game, contract }: Subject): void {
  for (const setup of makeSetups(game)) {
    const state = deepFreeze(game.initial(setup));
    expect(isJson(state)).toBe(true);
    expect(hashJson(game.initial(setup))).toBe(hashJson(state));
    expect(game.outcome(state)).toBeNull();
    expect(game.legalActions(state)).not.toEqual([]);
    if (!contract.simultaneous) expect(seatsOf(setup)).toContain(game.turn(state) as Seat);
  }
}

function checkEnds({ game, played }: Subject): void {
  for (const { setup, positions } of played()) {
    const outcome = game.outcome(positions.at(-1)!.state)!;
    expect(isJson(outcome)).toBe(true);
    expect(outcome.reason).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(outcome.places.length).toBe(setup.seats);
    checkPlaces(outcome);
  }
}

/** The winners share the first place, or all do; after equal places as many are left out. */
function checkPlaces({ winners, places }: Outcome): void {
  const first = places.flatMap((place, seat) => (place === 1 ? [seat] : []));
  if (winners.length === 0) expect(first.length).toBe(places.length);
  else expect([...winners].sort((a, b) => a - b)).toEqual(first);
  for (const place of places) {
    expect(place).toBe(1 + places.filter((other) => other < place).length);
  }
}

/** Every state and input goes through JSON on the way, as when a match is taken up again. */
function checkReplay(subject: Subject): void {
  const { game } = subject;
  eachPosition(subject, ({ position, input, next, secret, setup, ply }) => {
    if (ply === 0) expect(hashJson(game.initial(setup))).toBe(hashJson(position.state));
    if (input === null) return;
    const again = advance(game, thaw(position), thaw(input), secret);
    expect(hashJson(again.state)).toBe(hashJson(next!.state));
    expect(again.drawn).toBe(next!.drawn);
    expect(again.events).toEqual(next!.events as GameEvent[]);
  });
}

function checkTurns(subject: Subject): void {
  const { game, contract } = subject;
  eachPosition(subject, ({ position: { state, forfeited }, setup }) => {
    const over = game.outcome(state) !== null;
    const turn = game.turn(state);
    if (turn === null) expect(over || contract.simultaneous === true).toBe(true);
    else expect(over).toBe(false);
    if (turn !== null) expect(seatsOf(setup)).toContain(turn);
    expect(forfeited).not.toContain(turn as Seat);
    const legal = game.legalActions(state);
    if (legal !== null) expect(legal.length === 0).toBe(over);
  });
}

/** Play is on frozen values already, where a change throws. Here nothing is frozen. */
function checkArguments(subject: Subject): void {
  const { game } = subject;
  eachPosition(subject, ({ position, input, secret, setup }) => {
    const state = thaw(position.state);
    const copy = thaw(input);
    game.turn(state);
    game.outcome(state);
    for (const viewer of [null, ...seatsOf(setup)]) game.view(state, viewer);
    for (const action of game.legalActions(state) ?? []) game.makeNotation(state, action);
    if (copy !== null) advance(game, { ...position, state }, copy, secret);
    expect(canonicalJson(state)).toBe(canonicalJson(position.state));
    expect(canonicalJson(copy as Json)).toBe(canonicalJson(input as Json));
  });
}

function checkViews(subject: Subject): void {
  const { game, contract } = subject;
  eachPosition(subject, ({ position, setup }) => {
    const open = canonicalJson(game.view(position.state, null));
    for (const viewer of [null, ...seatsOf(setup)]) {
      const view = game.view(position.state, viewer);
      expect(isJson(view)).toBe(true);
      if (game.openInformation) expect(canonicalJson(view)).toBe(open);
      const other = contract.disguise?.(position.state, viewer) ?? position.state;
      expect(canonicalJson(game.view(other, viewer))).toBe(canonicalJson(view));
      expect(canonicalJson(view)).not.toContain(SECRET);
    }
    const told = JSON.stringify([position, game.outcome(position.state)]);
    expect(told).not.toContain(SECRET);
  });
}

function checkLegal(subject: Subject): void {
  const { game } = subject;
  eachPosition(subject, ({ position, input, secret, setup }) => {
    const turn = game.turn(position.state);
    const legal = game.legalActions(position.state) ?? [];
    expect(new Set(legal.map(canonicalJson)).size).toBe(legal.length);
    const tried = input?.kind === 'act' ? [...legal, input.action] : legal;
    for (const action of tried) {
      if (turn === null) continue; // All act at once; the input itself has been applied.
      const applied = game.apply(position.state, turn, action, randomOf(position, secret));
      if (isRefusal(applied)) throw new Error(`${JSON.stringify(action)}: ${applied.error}`);
      expect(isJson(applied.state) && isJson(applied.events)).toBe(true);
      for (const seat of seatsOf(setup)) {
        if (seat !== turn) checkRefused(game, position, seat, action, 'not_your_turn');
      }
    }
  });
}

/** Tries what was legal earlier in the same game. */
function checkIllegal(subject: Subject): void {
  const { game } = subject;
  let seen = new Map<string, Json>();
  eachPosition(subject, ({ position, input, ply }) => {
    if (ply === 0) seen = new Map();
    const legal = game.legalActions(position.state);
    const now = new Set(legal?.map(canonicalJson));
    const over = game.outcome(position.state) !== null;
    const seat = game.turn(position.state) ?? 0;
    for (const [text, action] of seen) {
      if (over || (legal !== null && !now.has(text))) checkRefused(game, position, seat, action);
    }
    for (const action of legal ?? []) seen.set(canonicalJson(action), action);
    if (input?.kind === 'act') seen.set(canonicalJson(input.action), input.action);
  });
}

function checkRefused(
  game: AnyGame,
  position: Position,
  seat: Seat,
  action: Json,
  code?: Refusal['code'],
): void {
  const refused = game.apply(position.state, seat, action, randomOf(position, SECRET));
  if (!isRefusal(refused)) throw new Error(`seat ${seat} was let do ${JSON.stringify(action)}`);
  expect(code === undefined ? REFUSAL_CODES : [code]).toContain(refused.code);
  expect(refused.error).toMatch(/^[A-Z].{3,}[^.]$/);
}

function checkJunk(subject: Subject): void {
  const { game, played } = subject;
  const positions = played().flatMap((each) => each.positions);
  const actions = actionsOf(game, played());
  // A game that runs by the clock has none to spoil.
  const input = actions.length === 0 ? anyJunk : fc.oneof(anyJunk, spoiled(actions));
  const property = fc.property(fc.nat(), input, (index, junk) => {
    const position = positions[index % positions.length]!;
    const before = canonicalJson(position.state);
    const action = game.parseAction(junk);
    if (action !== null) checkParsed(game, position, action);
    else checkFault(game, junk);
    expect(canonicalJson(position.state)).toBe(before);
  });
  fc.assert(property, { seed: TEST_SEED, numRuns: JUNK_RUNS });
}

/** What is wrong with it is said in our own words: a field by its name, and what it has to be. */
function checkFault(game: AnyGame, junk: unknown): void {
  if (game.actionFault === undefined) return;
  expect(game.actionFault(junk)).toMatch(
    /^[a-zA-Z. ]+ (is required|has to be|cannot both be given).{0,80}$/,
  );
}

/** An action out of junk is a proper one all the same, and legal only if it is listed. */
function checkParsed(game: AnyGame, position: Position, action: Json): void {
  expect(isJson(action)).toBe(true);
  expect(canonicalJson(game.parseAction(action))).toBe(canonicalJson(action));
  const seat = game.turn(position.state) ?? 0;
  const applied = game.apply(position.state, seat, deepFreeze(action), randomOf(position, SECRET));
  const legal = game.legalActions(position.state)?.map(canonicalJson);
  if (legal !== undefined) expect(!isRefusal(applied)).toBe(legal.includes(canonicalJson(action)));
}

function checkActions({ game, played }: Subject): void {
  for (const action of actionsOf(game, played())) {
    const text = canonicalJson(action);
    expect(game.actionFault?.(action) ?? null).toBeNull();
    expect(isJson(action)).toBe(true);
    expect(canonicalJson(game.parseAction(JSON.parse(text)))).toBe(text);
    if (!isRecord(action)) continue;
    // JSON can hold -0; an action must not, for -0 and 0 are one value with one hash.
    const negated = Object.entries(action).map(([key, value]) => [key, value === 0 ? -0 : value]);
    expect(isJson(game.parseAction(Object.fromEntries(negated)))).toBe(true);
    const withExtra = { ...action, extraField: 1 };
    expect(canonicalJson(game.parseAction(withExtra))).toBe(text);
    for (const disguise of disguised(action)) expect(game.parseAction(disguise)).toBeNull();
  }
}

function checkNotation(subject: Subject): void {
  const { game } = subject;
  eachPosition(subject, ({ position: { state }, input }) => {
    const legal = game.legalActions(state);
    const actions = legal ?? (input?.kind === 'act' ? [input.action] : []);
    const texts = actions.map((action) => game.makeNotation(state, action));
    expect(new Set(texts).size).toBe(texts.length);
    for (const [index, text] of texts.entries()) {
      expect(canonicalJson(game.parseNotation(state, text))).toBe(canonicalJson(actions[index]!));
    }
  });
  checkJunkNotation(subject);
}

function checkJunkNotation({ game, played }: Subject): void {
  const positions = played().flatMap((each) => each.positions);
  const written = fc.oneof(fc.string(), fc.integer().map(String), fc.constant('constructor'));
  const property = fc.property(fc.nat(), written, (index, text) => {
    const { state } = positions[index % positions.length]!;
    const action = game.parseNotation(state, text);
    const legal = game.legalActions(state)?.map(canonicalJson);
    if (action !== null && legal !== undefined) expect(legal).toContain(canonicalJson(action));
  });
  fc.assert(property, { seed: TEST_SEED, numRuns: JUNK_RUNS });
}

/** A position of a random game with what came after it. */
interface Moment {
  readonly setup: Setup;
  readonly secret: string;
  /** Inputs before it. */
  readonly ply: number;
  readonly position: Position;
  /** Null at the end. */
  readonly input: Input | null;
  readonly next: Position | null;
}

/** Visits every position of every game in order, and says where it was when a check fails. */
function eachPosition({ played }: Subject, visit: (moment: Moment) => void): void {
  for (const [number, { setup, secret, positions, inputs }] of played().entries()) {
    for (const [ply, position] of positions.entries()) {
      try {
        const input = inputs[ply] ?? null;
        visit({ setup, secret, ply, position, input, next: positions[ply + 1] ?? null });
      } catch (error) {
        const where = `game ${number} of seed ${TEST_SEED}, after ${ply} inputs`;
        throw new Error(`${where}, state ${JSON.stringify(position.state)}: ${error}`);
      }
    }
  }
}

/** A copy that is not frozen, and holds only what JSON keeps. */
function thaw<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

function isRecord(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Does JSON give back this very value? Not so -0, NaN, undefined and objects with a class. */
function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every(isJson);
}
