/** One round of a ladder: the same beginning and the same dice, played with seats exchanged. */

import { NODES_MAX } from '../../../game/src/bot.ts';
import type { AnyGame, GameId, Json, Seat } from '../../../game/src/game.ts';
import { actingSeats, isRefusal } from '../../../game/src/game.ts';
import type { Random } from '../../../game/src/random.ts';
import { makeRandom, sha256Hex } from '../../../game/src/random.ts';
import type { Ask, Player } from '../../games/play-off.ts';
import { makeDefaultSetup, playBots, pointsOf, startGame } from '../../games/play-off.ts';
import { findGame } from '../../games/registry.ts';
import type { Contender } from './ladder-contender.ts';
import { botOf, levelOf } from './ladder-contender.ts';
import type { Times } from './ladder-times.ts';
import { mergeTimes, sizeOf } from './ladder-times.ts';

/** What is the same for all rounds of a ladder. */
export interface Terms {
  readonly game: GameId;
  readonly variant: string;
  readonly seats: number;
  readonly seed: string;
  /** This many plies are drawn before the bots begin. */
  readonly opening: number;
}

/** The first sits on every other seat, beginning with seat 0, then with seat 1. */
export type Pair = readonly [Contender, Contender];

export interface RoundTask {
  readonly terms: Terms;
  readonly pair: Pair;
  /** Counted from 0; terms, pair and number say all that happens in a round. */
  readonly number: number;
}

/** How long a contender's decisions took, by the clock and of the processor's time. */
export interface LevelTimes {
  readonly wall: Times;
  readonly cpu: Times;
}

export interface Round {
  /** The first contender's points, of both games. */
  readonly points: readonly number[];
  /** Distinguishes rounds with other settings. */
  readonly record: string;
  /** In the order of the pair. */
  readonly times: readonly [LevelTimes, LevelTimes];
}

const GAMES_A_ROUND = 2;
const RECORD_CHARS = 12;
/** Openings that are drawn before giving up: some end the game. */
const OPENINGS_MAX = 100;
/** The resolution of processor time, in ms: shorter times are measured by the clock. */
const CPU_GRAIN_MS = 4;

/** Throws when a bot breaks the rules. The game has to be built. */
export function playRound({ terms, pair, number }: RoundTask): Round {
  const game = findGame(terms.game)!;
  const chance = (name: string): Random =>
    makeRandom(terms.seed, () => `${pair.join(' ')} ${number} ${name}`, 0);
  const watch = makeWatch();
  const state = drawOpening(game, terms, chance('opening'));
  const points: number[] = [];
  for (let rotation = 0; rotation < GAMES_A_ROUND; rotation += 1) {
    const sideOf = (seat: number): Side => ((seat + rotation) % 2 === 0 ? 0 : 1);
    const players = Array.from({ length: terms.seats }, (_, seat): Player => {
      const contender = pair[sideOf(seat)];
      const level = levelOf(contender);
      const mind = botOf(game, contender)!.makeMind();
      return { mind, level, nodesMax: NODES_MAX[level], random: chance(`${rotation} ${seat}`) };
    });
    const ask = watch.askAs(sideOf);
    const outcome = playBots({ game, state, players, random: chance('dice'), ask });
    points.push(pointsOf(outcome, (seat) => sideOf(seat) === 0));
  }
  return { points, ...watch.found() };
}

/** An opening after which the game continues, the same for every seat that plays it. */
function drawOpening(game: AnyGame, { variant, seats, opening }: Terms, random: Random): Json {
  const setup = { ...makeDefaultSetup(game), variant, seats };
  for (let drawn = 0; drawn < OPENINGS_MAX; drawn += 1) {
    let state = startGame(game, setup, random);
    for (let ply = 0; ply < opening && game.outcome(state) === null; ply += 1) {
      const [seat] = actingSeats(game, state) as [Seat];
      const legal = game.legalActions(state, seat)!;
      const action = legal[random.integer(legal.length)]!;
      const applied = game.apply(state, seat, action, random);
      if (isRefusal(applied)) throw new Error(applied.error);
      state = applied.state;
    }
    if (game.outcome(state) === null) return state;
  }
  throw new Error(`No opening of ${opening} plies leaves ${game.id} going on`);
}

/** Of a pair the first or the second. */
type Side = 0 | 1;

interface Watch {
  /** Asks the bots of a game in which these seats are that side's. */
  askAs(sideOf: (seat: Seat) => Side): Ask;
  found(): Pick<Round, 'record' | 'times'>;
}

/** Asks the bots, and stores their answers and times. */
function makeWatch(): Watch {
  const taken = [0, 1].map(() => ({ wall: [] as number[], cpu: [] as number[] }));
  let record = '';
  return {
    askAs: (sideOf) => (player, question) => {
      const cpuFrom = cpuMs();
      const from = performance.now();
      const answer = player.mind.choose(question, player.random);
      const wall = performance.now() - from;
      const cpu = wall < CPU_GRAIN_MS ? wall : Math.max(CPU_GRAIN_MS, cpuMs() - cpuFrom);
      const times = taken[sideOf(question.seat)]!;
      times.wall.push(wall);
      times.cpu.push(Math.min(wall, cpu));
      record = sha256Hex(record + JSON.stringify(answer));
      return answer;
    },
    found: () => ({
      record: record.slice(0, RECORD_CHARS),
      times: [sumUp(taken[0]!), sumUp(taken[1]!)],
    }),
  };
}

/** What this thread has used of a processor, in ms; where the runtime does not say, what has passed. */
function cpuMs(): number {
  const usage = process.threadCpuUsage?.();
  return usage === undefined ? performance.now() : (usage.user + usage.system) / 1_000;
}

function sumUp(taken: { readonly wall: number[]; readonly cpu: number[] }): LevelTimes {
  const count = (all: readonly number[]): Times =>
    mergeTimes(all.map((ms) => [sizeOf(ms), 1] as const));
  return { wall: count(taken.wall), cpu: count(taken.cpu) };
}
