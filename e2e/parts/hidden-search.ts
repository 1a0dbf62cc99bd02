/** Finds hidden information that reached a viewer: compares every text with what its reader may see. */

import type { AnyGame, Json, Seat } from '../../game/src/game.ts';
import { actingSeats, shownAction } from '../../game/src/game.ts';
import { canonicalJson } from '../../game/src/json.ts';
import { makeRandom } from '../../game/src/random.ts';
import type { Replay } from '../../src/match/replay/replay-form.ts';
import { openMatch, type RerunMatch } from '../../src/match/replay/rerun.ts';
import { rerunSafely, stepsOf } from '../../src/match/replay/verify.ts';

/** A frame of `matchd.v1`, as far as it shows the game. */
interface Shown {
  readonly t: string;
  readonly v: number;
  readonly view?: Json;
  readonly action?: Json;
  readonly legal?: readonly Json[];
}

/** The match before and after each of its steps. */
function statesOf(game: AnyGame, replay: Replay): readonly RerunMatch[] {
  const { seed, entropy } = replay.fairness;
  const randomAt = (drawn: number) => makeRandom(seed!, () => entropy, drawn);
  let match = openMatch(game, replay, randomAt(0));
  const matches = [match];
  for (const step of stepsOf(replay)) {
    const next = rerunSafely(game, match, step, randomAt(match.drawn));
    if (typeof next === 'string') throw new Error(next);
    match = next;
    matches.push(match);
  }
  return matches;
}

/** Everything that one viewer may be shown of a match, at any time. */
function openTo(game: AnyGame, replay: Replay, viewer: Seat | null) {
  const states = statesOf(game, replay).map(({ state }) => state);
  const { variant, seats, options } = replay;
  const before = game.initial({ variant, seats, options });
  const views = [before, ...states].map((state) => canonicalJson(game.view(state, viewer)));
  const legal = states.map((state) => {
    const own = viewer !== null && actingSeats(game, state).includes(viewer);
    return canonicalJson(own ? (game.legalActions(state, viewer) ?? []) : []);
  });
  const actions = stepsOf(replay).flatMap((step, index) =>
    'action' in step ? [canonicalJson(shownAction(game, states[index]!, step, viewer))] : [],
  );
  return { views: new Set(views), legal: new Set([...legal, '[]']), actions: new Set(actions) };
}

/** Frames that showed a viewer more than it may see, as `what: frame`. */
export function findShownTooMuch(
  game: AnyGame,
  replay: Replay,
  viewer: Seat | null,
  texts: readonly string[],
): readonly string[] {
  const open = openTo(game, replay, viewer);
  return texts.flatMap((text) => {
    const { t, view, action, legal } = JSON.parse(text) as Shown;
    if (t !== 'state' && t !== 'update') return [];
    const isControl = typeof action === 'object' && action !== null && !isAction(game, action);
    const wrong = [
      view !== undefined && !open.views.has(canonicalJson(view)) && 'view',
      legal !== undefined && !open.legal.has(canonicalJson(legal)) && 'legal',
      action !== undefined && !isControl && !open.actions.has(canonicalJson(action)) && 'action',
    ];
    return wrong.flatMap((what) => (what === false ? [] : [`${what}: ${text}`]));
  });
}

/** The rest: draw offers, missed turns and seats that left. */
function isAction(game: AnyGame, action: Json): boolean {
  return game.parseAction(action) !== null;
}

/** The least length at which lists of random data are distinguishable. */
const TELLING_LENGTH = 4;

/** The texts of every list that is in some state but in no view of a watcher. */
export function hiddenListsOf(game: AnyGame, replay: Replay): readonly string[] {
  const states = statesOf(game, replay).map(({ state }) => state);
  const seen = states.map((state) => canonicalJson(game.view(state, null))).join('\n');
  const lists = new Set(states.flatMap(listsIn));
  return [...lists].filter((list) => !seen.includes(list));
}

function listsIn(value: Json): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) && value.length >= TELLING_LENGTH ? [canonicalJson(value)] : [];
  return [...own, ...Object.values(value).flatMap((each) => listsIn(each as Json))];
}
