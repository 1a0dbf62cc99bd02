/** Contract checks of the course of a game: start, turns, end, replay. */

import { declarationFaults, TURN_MS } from '../declaration.ts';
import type { AnyGame, GameEvent, Json, Outcome, TickRules } from '../game.ts';
import { actingSeats } from '../game.ts';
import { canonicalJson, hashJson } from '../json.ts';
import { placesByScore } from '../outcome.ts';
import { withoutAmbient } from './ambient.ts';
import { ensure, ensureJson, ensureSame } from './assert.ts';
import {
  advance,
  deepFreeze,
  legalFor,
  makeFirstPosition,
  makeSetups,
  seatsOf,
} from './random-play.ts';
import type { Moment, Subject } from './subject.ts';
import { eachPosition, SECRET, thaw, viewersOf } from './subject.ts';

const REASON = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const EVENT_TYPE = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9_]*)+$/;
const TICK_HASH = /^[0-9a-f]{8}$/;

export function checkDeclaration({ game }: Subject): void {
  const faults = declarationFaults(game);
  ensure(faults.length === 0, faults.join('; '));
}

/** Checks the position before the start and the first one after it. */
export function checkSetups({ game }: Subject): void {
  for (const setup of makeSetups(game)) {
    const state = deepFreeze(game.initial(setup));
    ensureJson(state, 'initial');
    ensureSame(hashJson(game.initial(setup)), hashJson(state), 'initial called twice');
    ensure(
      game.outcome(state) === null,
      `outcome is not null before the start, ${JSON.stringify(setup)}`,
    );
    // Pending sessions show these views.
    for (const viewer of [null, ...seatsOf(setup)]) {
      ensureJson(game.view(state, viewer), `view of ${viewer} before the start`);
    }
    const [first, again] = [0, 1].map(() => makeFirstPosition(game, setup, SECRET));
    ensureJson(first!.state, 'the first position');
    checkEvents(first!.events);
    ensureSame(
      hashJson(again!.state),
      hashJson(first!.state),
      'deal called twice with the same random numbers',
    );
  }
}

export function checkEvents(events: readonly GameEvent[]): void {
  for (const { type, data } of events) {
    ensure(EVENT_TYPE.test(type), `an event type has to match ${EVENT_TYPE}, got ${type}`);
    ensureJson(data, `data of ${type}`);
  }
}

export function checkEnds(subject: Subject): void {
  const { game } = subject;
  eachPosition(subject, ({ position: { state }, setup }) => {
    const outcome = game.outcome(state);
    if (outcome !== null) checkOutcome(outcome, setup.seats);
    else if ((game.timeLimitMs?.(setup) ?? null) !== null) {
      checkOutcome(game.timeUp!(state), setup.seats);
    }
  });
}

/** Winners have place 1; in a draw all do. Shared places skip as many after them: 1, 1, 3. */
export function checkOutcome(outcome: Outcome, seats: number): void {
  const { winners, places, reason, scores } = outcome;
  ensureJson(outcome, 'outcome');
  ensure(REASON.test(reason), `outcome.reason has to be in snake_case, got ${reason}`);
  ensure(places.length === seats, `${places.length} places for ${seats} seats`);
  const first = places.flatMap((place, seat) => (place === 1 ? [seat] : []));
  const wanted = winners.length === 0 ? Array.from({ length: seats }, (_, seat) => seat) : winners;
  ensureSame(
    first,
    [...wanted].sort((a, b) => a - b),
    'seats with place 1, compared with winners',
  );
  ensureSame(places, placesByScore(places.map((place) => -place)), 'places');
  if (scores === undefined) return;
  ensure(scores.length === seats, `${scores.length} scores for ${seats} seats`);
  for (const score of scores)
    ensure(Number.isFinite(score), `scores has to hold numbers, got ${score}`);
}

/** Every state and input goes through JSON, as when a match is reloaded. */
export function checkReplay(subject: Subject): void {
  const { game } = subject;
  eachPosition(subject, ({ position, input, next, secret, setup, ply }) => {
    const begun = ply === 0 ? makeFirstPosition(game, thaw(setup), secret) : position;
    ensureSame(hashJson(begun.state), hashJson(position.state), 'the first position');
    if (input === null) return;
    const again = withoutAmbient(() => advance(game, thaw(position), thaw(input), secret));
    ensureSame(hashJson(again.state), hashJson(next!.state), 'hash of the next state');
    ensureSame(again.drawn, next!.drawn, 'number of random values drawn');
    ensureSame(again.events, next!.events, 'events');
  });
}

export function checkTurns(subject: Subject): void {
  const { game } = subject;
  const isAlone = game.acting === undefined && game.ticks === undefined;
  eachPosition(subject, ({ position: { state, forfeited }, setup }) => {
    const over = game.outcome(state) !== null;
    const acting = actingSeats(game, state);
    if (game.ticks === undefined) {
      ensure(
        (acting.length === 0) === over,
        `the game is ${over ? 'over' : 'not over'} and seats [${acting}] may act`,
      );
    }
    if (!isAlone)
      ensure(game.turn(state) === null, 'turn has to be null where acting or ticks is given');
    ensure(new Set(acting).size === acting.length, `acting lists a seat twice: [${acting}]`);
    for (const seat of acting) {
      ensure(seatsOf(setup).includes(seat), `acting lists seat ${seat}, which does not exist`);
      ensure(!forfeited.includes(seat), `seat ${seat} has forfeited and may act`);
      ensure(game.isOut?.(state, seat) !== true, `seat ${seat} is out and may act`);
      ensure(
        legalFor(game, state, seat)?.length !== 0,
        `seat ${seat} may act and has no legal action`,
      );
    }
    if (!over) return;
    for (const seat of seatsOf(setup)) {
      ensure(
        (legalFor(game, state, seat)?.length ?? 0) === 0,
        'legalActions is not empty after the end',
      );
    }
  });
}

/** A seat that has acted may not act again before the others of its round have. */
export function checkRounds(subject: Subject): void {
  const { game } = subject;
  eachPosition(subject, ({ position, input, next }) => {
    if (input?.kind !== 'act' && input?.kind !== 'miss') return;
    const rest = actingSeats(game, position.state).filter((seat) => seat !== input.seat);
    const now = actingSeats(game, next!.state);
    if (!now.some((seat) => rest.includes(seat))) return; // A new round.
    for (const seat of now) {
      ensure(rest.includes(seat), `seat ${seat} may act again before seats [${rest}]`);
    }
  });
}

/** Random play uses frozen values, where a mutation throws. This check uses unfrozen ones. */
export function checkArguments(subject: Subject): void {
  const { game } = subject;
  eachPosition(subject, (moment) => {
    const { position, input, secret } = moment;
    const state = thaw(position.state);
    const copy = thaw(input);
    readAll(game, state, moment);
    if (copy !== null) advance(game, { ...position, state }, copy, secret);
    ensureSame(state, position.state, 'the state after the calls');
    ensureSame(copy, input, 'the input after the calls');
  });
}

/** Calls every function that only reads. */
function readAll(game: AnyGame, state: Json, moment: Moment): void {
  game.turn(state);
  game.outcome(state);
  game.hasWinner?.(state);
  game.turnLimitMs?.(state, game.turnTimeoutMs);
  for (const viewer of viewersOf(moment)) {
    game.view(state, viewer);
    if (viewer !== null) game.isOut?.(state, viewer);
  }
  for (const seat of actingSeats(game, state)) {
    for (const action of legalFor(game, state, seat) ?? []) game.makeNotation(state, action);
  }
}

export function checkTurnLimits(subject: Subject): void {
  const { game } = subject;
  const { min, max } = TURN_MS;
  eachPosition(subject, ({ position: { state } }) => {
    if (game.outcome(state) !== null) return;
    for (const turnTimeoutMs of [5_000, game.turnTimeoutMs, max]) {
      const limit = game.turnLimitMs!(state, turnTimeoutMs);
      const isSound = Number.isSafeInteger(limit) && limit >= min && limit <= max;
      ensure(isSound, `turnLimitMs has to return an integer from ${min} to ${max}, got ${limit}`);
    }
  });
}

/** A seat that is out stays out, and its forfeit changes no places. */
export function checkEliminated(subject: Subject): void {
  const { game, played } = subject;
  eachPosition(subject, ({ position, next, setup }) => {
    if (next === null) return;
    for (const seat of seatsOf(setup)) {
      const returns = game.isOut!(position.state, seat) && !game.isOut!(next.state, seat);
      ensure(!returns, `seat ${seat} was out and is back in`);
    }
  });
  for (const { setup, secret, positions, inputs } of played()) {
    const places = placesOf(game, positions.at(-1)!.state);
    for (const seat of seatsOf(setup)) {
      const ply = positions.findIndex(
        ({ state, forfeited }) => game.isOut!(state, seat) && !forfeited.includes(seat),
      );
      if (ply === -1 || game.outcome(positions[ply]!.state) !== null) continue;
      let position = advance(game, positions[ply]!, { kind: 'forfeit', seat }, secret);
      for (const input of inputs.slice(ply)) {
        if (input.kind === 'forfeit' && input.seat === seat) continue;
        position = advance(game, position, input, secret);
      }
      ensureSame(
        placesOf(game, position.state),
        places,
        `places after seat ${seat}, which was out, forfeits`,
      );
    }
  }
}

function placesOf(game: AnyGame, state: Json): readonly number[] {
  return game.outcome(state)?.places ?? [];
}

/** Each step of a tick game is one tick, and a finished game does not change. */
export function checkTicks(subject: Subject): void {
  const { ticks, outcome } = subject.game as AnyGame & { readonly ticks: TickRules<Json> };
  eachPosition(subject, ({ position: { state }, setup }) => {
    ensure(
      TICK_HASH.test(ticks.hash(state)),
      `ticks.hash has to return 8 hex digits, got ${ticks.hash(state)}`,
    );
    const masks = seatsOf(setup).map(() => ticks.maskMax);
    const next = ticks.step(state, masks);
    ensureJson(next, 'the state after a tick');
    checkEvents(ticks.eventsOf(state, next));
    if (outcome(state) !== null) ensureSame(next, state, 'the state after a step past the end');
    else ensure(ticks.tickOf(next) === ticks.tickOf(state) + 1, 'step has to raise tickOf by one');
    const isSeen =
      canonicalJson(next) === canonicalJson(state) || ticks.hash(next) !== ticks.hash(state);
    ensure(isSeen, 'two successive states have the same ticks.hash');
  });
}
