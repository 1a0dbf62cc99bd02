/** Contract checks of hidden information: nothing a viewer can observe depends on it. */

import type { AnyGame, Json, Seat } from '../game.ts';
import { actingSeats, isRefusal } from '../game.ts';
import { canonicalJson } from '../json.ts';
import { clip, ensure, ensureJson, ensureSame } from './assert.ts';
import { actionsOf } from './hostile-input.ts';
import { imagined, SAMPLED_POSITIONS, viewerName } from './imagined-state.ts';
import { legalFor, randomOf, seatsOf } from './random-play.ts';
import type { Moment, Subject } from './subject.ts';
import { eachPosition, SECRET, samplePositions, viewersOf } from './subject.ts';

/** Imagined states per viewer and position; more where there are few positions. */
const WORLDS = { min: 2, inAll: 400 } as const;
/** Actions of other positions that a viewer tries, in the true state and in an imagined one. */
const TRIED_MAX = 3;

export function checkViews(subject: Subject): void {
  const { game } = subject;
  eachPosition(subject, (moment) => {
    const { state } = moment.position;
    const open = game.view(state, null);
    for (const viewer of viewersOf(moment)) {
      const view = game.view(state, viewer);
      ensureJson(view, `view of ${viewerName(viewer)}`);
      if (game.openInformation)
        ensureSame(view, open, `view of ${viewerName(viewer)}, with open information`);
      ensure(!canonicalJson(view).includes(SECRET), "a view contains the match's seed");
    }
    const told = JSON.stringify([moment.position, game.outcome(state)]);
    ensure(!told.includes(SECRET), "the state, an event or the outcome contains the match's seed");
  });
}

/** A viewer's view, legal actions and refusals are the same in the true state and in an imagined one. */
export function checkImagined(subject: Subject): void {
  const { game, played } = subject;
  const actions = actionsOf(game, played());
  const positions = played().reduce((sum, each) => sum + each.positions.length, 0);
  const worlds = Math.max(WORLDS.min, Math.ceil(WORLDS.inAll / positions));
  /** Did an imagined state ever differ: at all, and in another seat's view, for a seat and for a watcher? */
  const found = { anything: false, seat: false, watcher: false };
  samplePositions(subject, SAMPLED_POSITIONS, (moment) => {
    const { state } = moment.position;
    const open = openTexts(game, moment, state);
    const views = new Map(viewersOf(moment).map((each) => [each, viewText(game, state, each)]));
    for (const viewer of views.keys()) {
      const own = ownTexts(game, moment, state, viewer, actions);
      for (let world = 0; world < worlds; world += 1) {
        const other = imagined(subject, moment, viewer, world);
        ensureJson(other, `the state that ${viewerName(viewer)} imagines`);
        ensureEqual(openTexts(game, moment, other), open, viewer);
        ensureEqual(ownTexts(game, moment, other, viewer, actions), own, viewer);
        found.anything ||= canonicalJson(other) !== canonicalJson(state);
        found[viewer === null ? 'watcher' : 'seat'] ||= [...views].some(
          ([seat, text]) => seat !== viewer && viewText(game, other, seat) !== text,
        );
      }
    }
  });
  ensure(found.anything, 'imagine never changes the state');
  if (game.openInformation) return;
  const of =
    "imagine never changes another seat's view (if all seats know the same, openInformation is true), for";
  ensure(found.watcher, `${of} a watcher`);
  ensure(found.seat || game.seats.max === 1, `${of} a seat`);
}

/** Values read from a state as text, each with a name. */
type Texts = readonly (readonly [what: string, text: string])[];

function ensureEqual(found: Texts, wanted: Texts, viewer: Seat | null): void {
  for (const [index, [what, text]] of found.entries()) {
    const real = wanted[index]![1];
    if (text === real) continue;
    const where = `${what} in a state that ${viewerName(viewer)} imagines`;
    throw new Error(`${where}: got ${clip(text)}, expected ${clip(real)}`);
  }
}

function viewText(game: AnyGame, state: Json, viewer: Seat | null): string {
  return canonicalJson(game.view(state, viewer));
}

/** Public values. A seat sees everything that a watcher sees. */
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

/** The viewer's own values: its view, its legal actions, and the refusals of actions it tries. */
function ownTexts(
  game: AnyGame,
  { position, secret, ply }: Moment,
  state: Json,
  viewer: Seat | null,
  actions: readonly Json[],
): Texts {
  const view = [`view of ${viewerName(viewer)}`, viewText(game, state, viewer)] as const;
  if (viewer === null) return [view];
  const isActing = actingSeats(game, state).includes(viewer);
  const legal = isActing ? canonicalJson(legalFor(game, state, viewer)) : '';
  const tried = Array.from({ length: Math.min(TRIED_MAX, actions.length) }, (_, index) => {
    const action = actions[(ply * TRIED_MAX + index) % actions.length]!;
    const applied = game.apply(state, viewer, action, randomOf(position, secret));
    const text = isRefusal(applied) ? `${applied.code}: ${applied.error}` : 'applied';
    return [`the answer to ${JSON.stringify(action)} of seat ${viewer}`, text] as const;
  });
  return [view, [`legal actions of seat ${viewer}`, legal], ...tried];
}
