/**
 * The ticks of one match while they are played (decision 0016): the seats' input, the state ahead of the log, and
 * the time on which ticks are due. Knows neither timers nor the store.
 */

import type { AnyMind, BotLevel } from '../../../game/src/bot.ts';
import { NODES_MAX } from '../../../game/src/bot.ts';
import type { Json, Seat } from '../../../game/src/game.ts';
import type { Random } from '../../../game/src/random.ts';
import { makeRandom } from '../../../game/src/random.ts';
import type { TickGame } from '../../../game/src/tick-game.ts';
import { dueTickAt, tickTime } from '../../../game/src/tick-game.ts';
import type { Collector } from '../../games/ticks/collector.ts';
import { makeCollector } from '../../games/ticks/collector.ts';
import type { Feed } from '../../games/ticks/feed.ts';
import { makeFeed } from '../../games/ticks/feed.ts';
import type { ActiveSession } from '../../match/session.ts';
import type { Sleeper } from '../host/time/alarms.ts';
import { NO_ALARM } from '../host/time/alarms.ts';

/** Play resumes this long after everybody has returned; the first tick has its own countdown. */
const RESUME_MS = 3_000;
const START_MS = 250;
/** Times since 1970 are doubles: a fraction this far past a millisecond belongs to it. */
const ROUNDING_MS = 0.01;

/** A seat that the service plays: its bot is asked in every tick. */
interface TickBot {
  readonly seat: Seat;
  readonly level: BotLevel;
  readonly mind: AnyMind;
  readonly random: Random;
}

export interface TickRoom extends Sleeper {
  readonly game: TickGame;
  readonly seats: number;
  readonly bots: readonly TickBot[];
  readonly feed: Feed<Json>;
  /** Created again whenever play resumes: input for the time before no longer counts. */
  collector: Collector;
  /** The state after all played ticks. */
  live: Json;
  /** When tick 0 would have been due, ms since 1970, not rounded; null while play is stopped. */
  zeroAt: number | null;
  /** Play stopped because of the store or the process: it resumes without the players who are away. */
  isStalled: boolean;
  /** When the room is due next, whole ms since 1970. */
  checkAt: number;
}

/** A room at the end of the session's log. `botSeed` is of the bots' own chance. */
export function openRoom(session: ActiveSession, game: TickGame, botSeed: string): TickRoom {
  const { state } = session.play;
  const tick = game.ticks.tickOf(state);
  return {
    game,
    seats: session.seats.length,
    bots: makeBots(session, botSeed),
    feed: makeFeed(game.ticks, state),
    collector: makeCollector(session.seats.length, tick),
    live: state,
    zeroAt: null,
    isStalled: false,
    checkAt: Number.POSITIVE_INFINITY,
    alarmAt: NO_ALARM,
  };
}

function makeBots({ seats, rules }: ActiveSession, botSeed: string): readonly TickBot[] {
  return seats.flatMap(({ level }, seat) => {
    const mind = level === null ? null : (rules.bot?.makeMind() ?? null);
    if (level === null || mind === null) return [];
    return [{ seat, level, mind, random: makeRandom(botSeed, () => `${seat}`, 0) }];
  });
}

/**
 * The next tick is due after a delay, and all others follow on their time. Seats of `empty` are not waited for
 * until they send input.
 */
export function resumeRoom(room: TickRoom, now: number, empty: readonly Seat[]): void {
  const { ticks } = room.game;
  const tick = ticks.tickOf(room.live);
  const wait = tick === 0 ? START_MS : RESUME_MS;
  room.zeroAt = now + wait - tickTime(ticks, 0, tick);
  room.checkAt = checkTime(room.game, room.zeroAt, tick);
  room.collector = makeCollector(room.seats, tick);
  room.isStalled = false;
  for (const seat of empty) room.collector.release(seat);
}

export function pauseRoom(room: TickRoom): void {
  room.zeroAt = null;
  room.checkAt = Number.POSITIVE_INFINITY;
}

export function isOver({ game, live }: TickRoom): boolean {
  return game.outcome(live) !== null;
}

/** Plays the ticks that are due by now, and returns how many. */
export function playRoom(room: TickRoom, now: number): number {
  const { game, zeroAt, collector, feed } = room;
  if (zeroAt === null) return 0;
  const dueTick = dueTickAt(game.ticks, zeroAt, now);
  let played = 0;
  for (const told of collector.take(dueTick)) {
    if (isOver(room)) break;
    const masks = withBots(room, told);
    room.live = game.ticks.step(room.live, masks);
    feed.add(masks, room.live);
    played += 1;
  }
  const next = Math.max(dueTick + 1, collector.nextTick());
  room.checkAt = isOver(room) ? Number.POSITIVE_INFINITY : checkTime(game, zeroAt, next);
  return played;
}

/** The first whole millisecond in which a tick is due: the clock has no fractions. */
function checkTime({ ticks }: TickGame, zeroAt: number, tick: number): number {
  return Math.ceil(tickTime(ticks, zeroAt, tick) - ROUNDING_MS);
}

function withBots({ bots, live }: TickRoom, told: readonly number[]): readonly number[] {
  if (bots.length === 0) return told;
  const masks = told.slice();
  for (const { seat, level, mind, random } of bots) {
    masks[seat] = Number(
      mind.choose({ state: live, seat, level, nodesMax: NODES_MAX[level] }, random),
    );
  }
  return masks;
}
