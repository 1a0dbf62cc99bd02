/** The contract about secrets: what a seat may not see shows in nothing that reaches it. */

import type { AnyGame, Json, Seat } from '../game.ts';
import { actingSeats, isRefusal } from '../game.ts';
import { canonicalJson } from '../json.ts';
import { clip, ensure, ensureJson, ensureSame } from './assert.ts';
import { actionsOf } from './hostile-input.ts';
import { legalFor, randomOf, seatsOf } from './random-play.ts';
import type { Moment, Subject } from './subject.ts';
import { eachPosition, SECRET, somePositions, viewersOf } from './subject.ts';
import { imagined, LOOKS, nameOf } from './worlds.ts';

/** States imagined for each viewer of a position, and more where there are few positions to find a fault in. */
const WORLDS = { min: 2, inAll: 400 } as const;
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
