/** Contract checks of actions: legal ones apply, everything else is refused. */

import fc from 'fast-check';
import type { AnyGame, Json, Refusal, Seat } from '../game.ts';
import { actingSeats, isRefusal } from '../game.ts';
import { canonicalJson } from '../json.ts';
import { ensure, ensureJson, ensureSame, isJson } from './assert.ts';
import { actionsOf } from './hostile-input.ts';
import { anyJunk, corrupted, disguised } from './junk.ts';
import { checkEvents } from './play-checks.ts';
import type { Position } from './random-play.ts';
import { deepFreeze, legalFor, randomOf, seatsOf } from './random-play.ts';
import type { Subject } from './subject.ts';
import { eachPosition, SECRET } from './subject.ts';

/** Not every test runner shows an error's cause, so the report includes it. */
const JUNK = { numRuns: 1_000, includeErrorInReport: true } as const;
/** Actions of earlier positions that are tried in each position. */
const TRIED_MAX = 64;
const REFUSAL_CODES: readonly Refusal['code'][] = [
  'not_your_turn',
  'illegal_move',
  'ambiguous_move',
];
/** A sentence without a full stop. */
const REFUSAL_ERROR = /^[A-Z].{3,}[^.]$/;
/** A fault is the names of fields and one of these. */
const FAULT_PHRASES = [' is required', ' has to be ', ' cannot both be given'];
/** Field names only, so that a fault never echoes the input. */
const FAULT_FIELDS = /^[a-zA-Z][\w. ]*$/;
const FAULT_CHARS_MAX = 300;

export function checkLegal(subject: Subject): void {
  const { game } = subject;
  eachPosition(subject, ({ position, input, secret, setup }) => {
    const acting = actingSeats(game, position.state);
    const others = seatsOf(setup).filter((seat) => !acting.includes(seat));
    for (const seat of acting) {
      const legal = legalFor(game, position.state, seat) ?? [];
      const isMade = input?.kind === 'act' && input.seat === seat;
      ensure(
        new Set(legal.map(canonicalJson)).size === legal.length,
        'legalActions lists an action twice',
      );
      for (const action of isMade ? [...legal, input.action] : legal) {
        const applied = game.apply(position.state, seat, action, randomOf(position, secret));
        if (isRefusal(applied)) throw new Error(`${JSON.stringify(action)}: ${applied.error}`);
        ensureJson(applied.state, 'state');
        checkEvents(applied.events);
        if (seat !== acting[0]) continue;
        for (const other of others) checkRefused(game, position, other, action, 'not_your_turn');
      }
    }
  });
}

/** Tries actions that were legal earlier in the same game. */
export function checkIllegal(subject: Subject): void {
  const { game } = subject;
  let seen = new Map<string, Json>();
  eachPosition(subject, ({ position, input, ply }) => {
    if (ply === 0) seen = new Map();
    const over = game.outcome(position.state) !== null;
    const seat = actorAt(game, position.state, ply);
    const legal = over ? [] : legalFor(game, position.state, seat);
    const now = new Set(legal?.map(canonicalJson));
    for (const [text, action] of someOf([...seen], ply)) {
      if (legal !== null && !now.has(text)) checkRefused(game, position, seat, action);
    }
    for (const action of legal ?? []) seen.set(canonicalJson(action), action);
    if (input?.kind === 'act') seen.set(canonicalJson(input.action), input.action);
  });
}

/** Up to `TRIED_MAX` of the values, others at each ply. */
function someOf<T>(values: readonly T[], ply: number): readonly T[] {
  if (values.length <= TRIED_MAX) return values;
  const from = (ply * TRIED_MAX) % values.length;
  return [...values.slice(from), ...values.slice(0, from)].slice(0, TRIED_MAX);
}

/** One of the acting seats, another at each ply; seat 0 after the end. */
function actorAt(game: AnyGame, state: Json, ply: number): Seat {
  const acting = actingSeats(game, state);
  return acting[ply % acting.length] ?? 0;
}

function checkRefused(
  game: AnyGame,
  position: Position,
  seat: Seat,
  action: Json,
  code?: Refusal['code'],
): void {
  const refused = game.apply(position.state, seat, action, randomOf(position, SECRET));
  if (!isRefusal(refused))
    throw new Error(`apply accepted ${JSON.stringify(action)} from seat ${seat}`);
  const codes = code === undefined ? REFUSAL_CODES : [code];
  ensure(
    codes.includes(refused.code),
    `apply refused with ${refused.code}, expected ${codes.join(' or ')}`,
  );
  ensure(
    REFUSAL_ERROR.test(refused.error),
    `a refusal's error has to start with a capital and have no full stop, got: ${refused.error}`,
  );
}

export function checkJunk(subject: Subject): void {
  const { game, played, seed } = subject;
  const positions = played().flatMap((each) => each.positions);
  const actions = actionsOf(game, played());
  // A tick game has no actions to spoil.
  const input = actions.length === 0 ? anyJunk : fc.oneof(anyJunk, corrupted(actions));
  const property = fc.property(fc.nat(), input, (index, junk) => {
    const position = positions[index % positions.length]!;
    const before = canonicalJson(position.state);
    const action = game.parseAction(junk);
    if (action !== null) checkParsed(game, position, action, index);
    else checkFault(game, junk);
    ensure(canonicalJson(position.state) === before, 'parseAction or apply changed the state');
  });
  fc.assert(property, { seed, ...JUNK });
}

/** A fault names a field and its valid values, and nothing of the input. */
function checkFault(game: AnyGame, junk: unknown): void {
  if (game.actionFault === undefined) return;
  const fault = game.actionFault(junk);
  ensure(
    fault !== null && isFault(fault),
    `actionFault has to return "<field> has to be …" or "<field> is required", got ${fault}`,
  );
}

function isFault(text: string): boolean {
  const phrase = FAULT_PHRASES.find((each) => text.includes(each));
  if (phrase === undefined || text.length > FAULT_CHARS_MAX) return false;
  return FAULT_FIELDS.test(text.slice(0, text.indexOf(phrase)));
}

/** Input that parses gives a valid action, which applies only if it is listed. */
function checkParsed(game: AnyGame, position: Position, action: Json, index: number): void {
  ensureJson(action, 'action');
  ensureSame(game.parseAction(action), action, 'an action parsed again');
  const seat = actorAt(game, position.state, index);
  const applied = game.apply(position.state, seat, deepFreeze(action), randomOf(position, SECRET));
  const legal = legalFor(game, position.state, seat)?.map(canonicalJson);
  if (legal === undefined) return;
  const isListed = legal.includes(canonicalJson(action));
  const [verb, list] = [isRefusal(applied) ? 'refuses' : 'accepts', isListed ? 'lists' : 'omits'];
  ensure(
    !isRefusal(applied) === isListed,
    `apply ${verb} ${JSON.stringify(action)}, legalActions ${list} it`,
  );
}

export function checkActions({ game, played }: Subject): void {
  for (const action of actionsOf(game, played())) {
    const text = canonicalJson(action);
    ensureJson(action, 'action');
    ensure((game.actionFault?.(action) ?? null) === null, `actionFault rejects ${text}`);
    ensureSame(game.parseAction(JSON.parse(text)), action, 'an action parsed from its JSON');
    if (!isRecord(action)) continue;
    // JSON can hold -0. An action must not: -0 and 0 have the same hash.
    const negated = Object.entries(action).map(([key, value]) => [key, value === 0 ? -0 : value]);
    ensure(
      isJson(game.parseAction(Object.fromEntries(negated))),
      `parseAction keeps -0 in ${text}`,
    );
    const withExtra = { ...action, extraField: 1 };
    ensureSame(game.parseAction(withExtra), action, 'an action parsed with an unknown field');
    for (const disguise of disguised(action)) {
      ensure(
        game.parseAction(disguise) === null,
        `parseAction accepts inherited fields or getters for ${text}`,
      );
    }
  }
}

export function checkNotation(subject: Subject): void {
  const { game } = subject;
  eachPosition(subject, ({ position: { state }, input, ply }) => {
    const isMade = input?.kind === 'act';
    const seat = isMade ? input.seat : actorAt(game, state, ply);
    const actions = legalFor(game, state, seat) ?? (isMade ? [input.action] : []);
    const texts = actions.map((action) => game.makeNotation(state, action));
    ensure(new Set(texts).size === texts.length, `two actions have the same notation: ${texts}`);
    for (const [index, text] of texts.entries()) {
      ensureSame(readText(game, state, text, seat), actions[index]!, `parseNotation of ${text}`);
    }
  });
  checkJunkNotation(subject);
}

function readText(game: AnyGame, state: Json, text: string, seat: Seat): Json | null {
  return game.acting === undefined
    ? game.parseNotation(state, text)
    : game.parseNotation(state, text, seat);
}

function checkJunkNotation({ game, played, seed }: Subject): void {
  const positions = played().flatMap((each) => each.positions);
  const written = fc.oneof(fc.string(), fc.integer().map(String), fc.constant('constructor'));
  const property = fc.property(fc.nat(), written, (index, text) => {
    const { state } = positions[index % positions.length]!;
    const seat = actorAt(game, state, index);
    const action = readText(game, state, text, seat);
    const legal = legalFor(game, state, seat)?.map(canonicalJson);
    if (action === null || legal === undefined) return;
    ensure(
      legal.includes(canonicalJson(action)),
      `parseNotation returns an illegal action for ${text}`,
    );
  });
  fc.assert(property, { seed, ...JUNK });
}

function isRecord(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
