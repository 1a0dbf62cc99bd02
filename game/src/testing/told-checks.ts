/** The contract about what is told: no event and no shown action tells two positions apart that look the same. */

import type { AnyGame, Applied, Json, Seat } from '../game.ts';
import { isRefusal, shownAction } from '../game.ts';
import { canonicalJson } from '../json.ts';
import { ensureSame } from './assert.ts';
import type { Input } from './random-play.ts';
import { legalFor, makeFirstPosition, randomOf } from './random-play.ts';
import type { Moment, Subject } from './subject.ts';
import { somePositions, viewersOf } from './subject.ts';
import { chanceOf, imagined, LOOKS, nameOf } from './worlds.ts';

/** Other actions that an action is compared with. */
const OTHERS_MAX = 3;
/** A match's seed that draws other values. */
const OTHER_CHANCE = 'other';

/** What a seat does of its own, or does not. */
type Made = Extract<Input, { kind: 'act' | 'miss' }>;

/** What was made, from where, and what it led to. */
interface Deed extends Applied<Json> {
  readonly from: Json;
  readonly made: Made;
}

/**
 * Holds what is told of an action to what shows in the position after it. Whoever reconnects gets that position
 * alone, and must know as much as whoever stayed.
 */
export function checkTold(subject: Subject): void {
  checkDealTold(subject);
  const { game } = subject;
  somePositions(subject, LOOKS, (moment) => {
    const { input, next, position } = moment;
    if (input?.kind !== 'act' && input?.kind !== 'miss') return;
    const done: Deed = { from: position.state, made: input, ...next! };
    const here = [
      ...othersOf(subject, moment, input).flatMap((made) => tryDeed(game, moment, made)),
      // The same with other luck.
      ...tryDeed(game, { ...moment, secret: OTHER_CHANCE }, input),
    ];
    for (const viewer of viewersOf(moment)) {
      if (viewer === input.seat) continue;
      const from = imagined(subject, moment, viewer, 0);
      const there = tryDeed(game, moment, input, from);
      for (const other of [...here, ...there]) compareTold(game, viewer, done, other);
    }
  });
}

/** Two deals that look the same to a watcher are told alike. */
function checkDealTold({ game, played }: Subject): void {
  if (game.deal === undefined) return;
  for (const { setup, positions } of played()) {
    const [dealt, other] = [positions[0]!, makeFirstPosition(game, setup, OTHER_CHANCE)];
    if (isHidden(game, null, dealt, other))
      ensureSame(other.events, dealt.events, 'events of deals');
  }
}

/** Some of what the seat might have done instead. */
function othersOf(
  { game, contract, ...rest }: Subject,
  moment: Moment,
  made: Made,
): readonly Made[] {
  if (made.kind === 'miss') return [];
  const { state } = moment.position;
  const legal = legalFor(game, state, made.seat);
  const random = chanceOf({ game, contract, ...rest }, moment, 'other actions');
  const draw = (): Json =>
    legal === null
      ? contract.randomAction!(state, random, made.seat)
      : legal[random.integer(legal.length)]!;
  return Array.from({ length: OTHERS_MAX }, () => ({ ...made, action: draw() }));
}

function tryDeed(
  game: AnyGame,
  { position, secret }: Moment,
  made: Made,
  from: Json = position.state,
): readonly Deed[] {
  const random = randomOf(position, secret);
  const applied =
    made.kind === 'act'
      ? game.apply(from, made.seat, made.action, random)
      : (game.missTurn?.(from, made.seat, random) ?? null);
  return applied === null || isRefusal(applied) ? [] : [{ ...applied, from, made }];
}

/** Where nothing differs nothing is hidden, and where it shows it is no secret. */
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

function compareTold(game: AnyGame, viewer: Seat | null, done: Deed, other: Deed): void {
  if (!isHidden(game, viewer, done, other)) return;
  const [one, two] = [done, other].map(({ made }) => JSON.stringify(made));
  const what = `of ${two} where ${nameOf(viewer)} could not tell it from ${one}`;
  ensureSame(shownOf(game, viewer, other), shownOf(game, viewer, done), `shown ${what}`);
  if (viewer === null) ensureSame(other.events, done.events, `events ${what}`);
}

function shownOf(game: AnyGame, viewer: Seat | null, { from, made }: Deed): Json {
  return made.kind === 'act' ? shownAction(game, from, made, viewer) : null;
}
