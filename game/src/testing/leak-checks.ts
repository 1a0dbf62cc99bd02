/** Contract checks of events and shown actions: neither reveals more than the view that follows. */

import type { AnyGame, Applied, Json, Seat } from '../game.ts';
import { isRefusal, shownAction } from '../game.ts';
import { canonicalJson } from '../json.ts';
import { ensureSame } from './assert.ts';
import { imagined, randomFor, SAMPLED_POSITIONS, viewerName } from './imagined-state.ts';
import type { Input } from './random-play.ts';
import { legalFor, makeFirstPosition, randomOf } from './random-play.ts';
import type { Moment, Subject } from './subject.ts';
import { samplePositions, viewersOf } from './subject.ts';

/** Alternative actions that an action is compared with. */
const OTHERS_MAX = 3;
/** A match seed that draws other values. */
const OTHER_SEED = 'other';

/** An action or a missed turn. */
type Move = Extract<Input, { kind: 'act' | 'miss' }>;

/** A move, the state before it, and its result. */
interface Transition extends Applied<Json> {
  readonly from: Json;
  readonly move: Move;
}

/**
 * If a viewer's view after two moves is the same and the states differ, the difference is hidden
 * from it: then the shown actions and the events must be the same, too. A player who reconnects
 * gets only the view and must know as much as one who stayed.
 */
export function checkLeaks(subject: Subject): void {
  checkDealLeaks(subject);
  const { game } = subject;
  samplePositions(subject, SAMPLED_POSITIONS, (moment) => {
    const { input, next, position } = moment;
    if (input?.kind !== 'act' && input?.kind !== 'miss') return;
    const done: Transition = { from: position.state, move: input, ...next! };
    const here = [
      ...othersOf(subject, moment, input).flatMap((move) => tryMove(game, moment, move)),
      // The same move with other random numbers.
      ...tryMove(game, { ...moment, secret: OTHER_SEED }, input),
    ];
    for (const viewer of viewersOf(moment)) {
      if (viewer === input.seat) continue;
      const from = imagined(subject, moment, viewer, 0);
      const there = tryMove(game, moment, input, from);
      for (const other of [...here, ...there]) compareDisclosed(game, viewer, done, other);
    }
  });
}

/** Two deals with the same view for a watcher have the same events. */
function checkDealLeaks({ game, played }: Subject): void {
  if (game.deal === undefined) return;
  for (const { setup, positions } of played()) {
    const [dealt, other] = [positions[0]!, makeFirstPosition(game, setup, OTHER_SEED)];
    if (isHidden(game, null, dealt, other))
      ensureSame(other.events, dealt.events, 'events of two deals that look the same to a watcher');
  }
}

/** Some alternative actions of the same seat. */
function othersOf(
  { game, contract, ...rest }: Subject,
  moment: Moment,
  move: Move,
): readonly Move[] {
  if (move.kind === 'miss') return [];
  const { state } = moment.position;
  const legal = legalFor(game, state, move.seat);
  const random = randomFor({ game, contract, ...rest }, moment, 'other actions');
  const draw = (): Json =>
    legal === null
      ? contract.randomAction!(state, random, move.seat)
      : legal[random.integer(legal.length)]!;
  return Array.from({ length: OTHERS_MAX }, () => ({ ...move, action: draw() }));
}

function tryMove(
  game: AnyGame,
  { position, secret }: Moment,
  move: Move,
  from: Json = position.state,
): readonly Transition[] {
  const random = randomOf(position, secret);
  const applied =
    move.kind === 'act'
      ? game.apply(from, move.seat, move.action, random)
      : (game.missTurn?.(from, move.seat, random) ?? null);
  return applied === null || isRefusal(applied) ? [] : [{ ...applied, from, move }];
}

/** Do the states differ in a way that the viewer cannot see? */
function isHidden(
  game: AnyGame,
  viewer: Seat | null,
  one: { readonly state: Json },
  other: { readonly state: Json },
): boolean {
  const isSame = (read: (state: Json) => Json): boolean =>
    canonicalJson(read(one.state)) === canonicalJson(read(other.state));
  return !isSame((state) => state) && isSame((state) => game.view(state, viewer));
}

function compareDisclosed(
  game: AnyGame,
  viewer: Seat | null,
  done: Transition,
  other: Transition,
): void {
  if (!isHidden(game, viewer, done, other)) return;
  const [one, two] = [done, other].map(({ move }) => JSON.stringify(move));
  const what = `of ${two}, which looks to ${viewerName(viewer)} like ${one}`;
  ensureSame(shownOf(game, viewer, other), shownOf(game, viewer, done), `shown action ${what}`);
  if (viewer === null) ensureSame(other.events, done.events, `events ${what}`);
}

function shownOf(game: AnyGame, viewer: Seat | null, { from, move }: Transition): Json {
  return move.kind === 'act' ? shownAction(game, from, move, viewer) : null;
}
