/** The contract about secrets: what a seat may not see shows in nothing that reaches it. */

import type { AnyGame, Applied, Json, Seat } from '../game.ts';
import { actingSeats, isRefusal, shownAction } from '../game.ts';
import { canonicalJson } from '../json.ts';
import type { Random } from '../random.ts';
import { clip, ensure, ensureJson, ensureSame } from './assert.ts';
import { actionsOf } from './hostile-input.ts';
import { quickChance } from './quick-chance.ts';
import { deepFreeze, legalFor, randomOf, seatsOf } from './random-play.ts';
import type { Moment, Subject } from './subject.ts';
import { eachPosition, SECRET, somePositions, viewersOf } from './subject.ts';

/** Positions that are looked at, about. */
const LOOKS = 800;
/** States imagined for each viewer of a position, and more where there are few positions to find a fault in. */
const WORLDS = { min: 2, inAll: 400 } as const;
/** Other actions that an action is compared with. */
const OTHERS_MAX = 3;
/** A match's seed that draws other values. */
const OTHER_CHANCE = 'other';
/** Actions of other moments that a seat tries, in the true state and in an imagined one. */
const TRIED_MAX = 3;

export function checkViews(subject: Subject): void {
  const { game } = subject;
  eachPosition(subject, (moment) => {
    const { state } = moment.position;
    const open = game.view(state, null);
    for (const viewer of viewersOf(moment)) {
      const view = game.view(state, viewer);
      ensureJson(view, `view of ${nameOf(viewer)}`);
      if (game.openInformation) ensureSame(view, open, `view of ${nameOf(viewer)}, all is open`);
      ensure(!canonicalJson(view).includes(SECRET), "a view shows the match's seed");
    }
    const told = JSON.stringify([moment.position, game.outcome(state)]);
    ensure(!told.includes(SECRET), "the match's seed is in the state, an event or the outcome");
  });
}

function nameOf(viewer: Seat | null): string {
  return viewer === null ? 'a watcher' : `seat ${viewer}`;
}

function chanceOf({ seed }: Subject, { game, ply }: Moment, name: string): Random {
  return quickChance(`${seed} ${name} in ${game} after ${ply}`);
}

/** A state that looks the same to the viewer, by the game's own word. */
function imagined(subject: Subject, moment: Moment, viewer: Seat | null, world: number): Json {
  const random = chanceOf(subject, moment, `world ${world} of ${viewer}`);
  return deepFreeze(subject.game.imagine!(moment.position.state, viewer, random));
}

/** Nothing that a viewer is shown or may do tells the true state from one that it imagines. */
export function checkImagined(subject: Subject): void {
  const { game, played } = subject;
  const actions = actionsOf(game, played());
  const positions = played().reduce((sum, each) => sum + each.positions.length, 0);
  const worlds = Math.max(WORLDS.min, Math.ceil(WORLDS.inAll / positions));
  /** Did an imagined state ever come out different, and in what a seat alone can see, for whom? */
  const found = { anything: false, seat: false, watcher: false };
  somePositions(subject, LOOKS, (moment) => {
    const { state } = moment.position;
    const open = openTexts(game, moment, state);
    const views = new Map(viewersOf(moment).map((each) => [each, viewText(game, state, each)]));
    for (const viewer of views.keys()) {
      const own = ownTexts(game, moment, state, viewer, actions);
      for (let world = 0; world < worlds; world += 1) {
        const other = imagined(subject, moment, viewer, world);
        ensureJson(other, `the state that ${nameOf(viewer)} imagines`);
        ensureAlike(openTexts(game, moment, other), open, viewer);
        ensureAlike(ownTexts(game, moment, other, viewer, actions), own, viewer);
        found.anything ||= canonicalJson(other) !== canonicalJson(state);
        found[viewer === null ? 'watcher' : 'seat'] ||= [...views].some(
          ([seat, text]) => seat !== viewer && viewText(game, other, seat) !== text,
        );
      }
    }
  });
  ensure(found.anything, 'imagine never draws anything anew');
  if (game.openInformation) return;
  const of = 'imagine never draws anew what a seat alone can see, for';
  ensure(found.watcher, `${of} a watcher`);
  ensure(found.seat || game.seats.max === 1, `${of} another seat`);
}

/** What is read of a state, by what it is, as text. */
type Texts = readonly (readonly [what: string, text: string])[];

function ensureAlike(found: Texts, wanted: Texts, viewer: Seat | null): void {
  for (const [index, [what, text]] of found.entries()) {
    const real = wanted[index]![1];
    if (text === real) continue;
    const where = `${what} in a state that ${nameOf(viewer)} imagines`;
    throw new Error(`${where}: found ${clip(text)}, wanted ${clip(real)}`);
  }
}

function viewText(game: AnyGame, state: Json, viewer: Seat | null): string {
  return canonicalJson(game.view(state, viewer));
}

/** What anybody may know. A seat sees all that a watcher does. */
function openTexts(game: AnyGame, { setup }: Moment, state: Json): Texts {
  const outcome = game.outcome(state);
  const limit = outcome === null ? game.turnLimitMs?.(state, game.turnTimeoutMs) : null;
  return [
    ['view of a watcher', viewText(game, state, null)],
    ['seats to act', `${actingSeats(game, state)}`],
    ['outcome', JSON.stringify(outcome)],
    ['seats that are out', `${seatsOf(setup).filter((seat) => game.isOut?.(state, seat))}`],
    ['hasWinner', `${game.hasWinner?.(state)}`],
    ['turnLimitMs', `${limit}`],
  ];
}

/**
 * What the viewer itself may know: its view, what it may do, and in which words it is refused: that must not
 * tell a secret either.
 */
function ownTexts(
  game: AnyGame,
  { position, secret, ply }: Moment,
  state: Json,
  viewer: Seat | null,
  actions: readonly Json[],
): Texts {
  const view = [`view of ${nameOf(viewer)}`, viewText(game, state, viewer)] as const;
  if (viewer === null) return [view];
  const isActing = actingSeats(game, state).includes(viewer);
  const legal = isActing ? canonicalJson(legalFor(game, state, viewer)) : '';
  const tried = Array.from({ length: Math.min(TRIED_MAX, actions.length) }, (_, index) => {
    const action = actions[(ply * TRIED_MAX + index) % actions.length]!;
    const applied = game.apply(state, viewer, action, randomOf(position, secret));
    const text = isRefusal(applied) ? `${applied.code}: ${applied.error}` : 'applied';
    return [`what ${JSON.stringify(action)} of seat ${viewer} comes to`, text] as const;
  });
  return [view, [`legal actions of seat ${viewer}`, legal], ...tried];
}

/** An action that might have been made instead, and where it would have led to. */
interface Instead extends Applied<Json> {
  readonly from: Json;
  readonly action: Json;
}

/**
 * What is told of an action must not tell two positions apart that look the same: neither what others are
 * shown of it nor its events.
 */
export function checkTold(subject: Subject): void {
  const { game } = subject;
  somePositions(subject, LOOKS, (moment) => {
    const { input } = moment;
    if (input?.kind !== 'act') return;
    const { state } = moment.position;
    const { action } = input;
    const here = [
      ...otherActions(subject, moment, input.seat).flatMap((other) =>
        tryInstead(game, moment, state, other),
      ),
      // The same with other luck.
      ...tryInstead(game, { ...moment, secret: OTHER_CHANCE }, state, action),
    ];
    for (const viewer of viewersOf(moment)) {
      if (viewer === input.seat) continue;
      const there = tryInstead(game, moment, imagined(subject, moment, viewer, 0), action);
      for (const instead of [...here, ...there]) compareTold(game, moment, viewer, instead);
    }
  });
}

/** Some of what the seat might have done instead. */
function otherActions(subject: Subject, moment: Moment, seat: Seat): readonly Json[] {
  const { game, contract } = subject;
  const { state } = moment.position;
  const legal = legalFor(game, state, seat);
  const random = chanceOf(subject, moment, 'other actions');
  const draw = (): Json =>
    legal === null
      ? contract.randomAction!(state, random, seat)
      : legal[random.integer(legal.length)]!;
  return Array.from({ length: OTHERS_MAX }, draw);
}

function tryInstead(
  game: AnyGame,
  { position, input, secret }: Moment,
  from: Json,
  action: Json,
): readonly Instead[] {
  if (input?.kind !== 'act') return [];
  const applied = game.apply(from, input.seat, action, randomOf(position, secret));
  return isRefusal(applied) ? [] : [{ ...applied, from, action }];
}

function compareTold(
  game: AnyGame,
  { position, input, next }: Moment,
  viewer: Seat | null,
  instead: Instead,
): void {
  if (input?.kind !== 'act') return;
  const { seat, action } = input;
  // Where nothing differs nothing is hidden, and where it shows it is no secret.
  if (isSame(instead.state, next!.state)) return;
  if (!isSame(game.view(instead.state, viewer), game.view(next!.state, viewer))) return;
  const what = `of ${JSON.stringify(instead.action)} where ${nameOf(viewer)} could not tell it from ${JSON.stringify(action)}`;
  ensureSame(
    shownAction(game, instead.from, { seat, action: instead.action }, viewer),
    shownAction(game, position.state, { seat, action }, viewer),
    `shown ${what}`,
  );
  if (viewer === null) ensureSame(instead.events, next!.events, `events ${what}`);
}

function isSame(one: Json, other: Json): boolean {
  return canonicalJson(one) === canonicalJson(other);
}
