/** Measures moves: many matches at once, played to the end, one move outstanding in each. */

import type { MovesFigures, MovesJob, MovesLoad } from '../jobs.ts';
import type { Adapter } from './match.ts';
import { openScripted } from './match.ts';
import { addCosts, coresOf, costOf, NO_COST, perSecond, quantile, runMany } from './measure.ts';
import type { Traffic } from './tcp.ts';

/** Matches being set up at the same time. */
const OPENING_MAX = 32;
/** Between connecting and playing, and between leaving and connecting again. */
const PAUSE_MS = 200;
const WARM_UP_AT_ONCE = 100;

interface Run {
  readonly pid: number;
  readonly adapter: Adapter;
  readonly traffic: Traffic;
  /** Every match of a run has its own number, so that no player sits in two. */
  nextIndex(): number;
}

export async function measureMoves(
  job: MovesJob,
  adapter: Adapter,
  traffic: Traffic,
): Promise<MovesFigures[]> {
  let index = 0;
  const run: Run = { pid: job.server.pid, adapter, traffic, nextIndex: () => index++ };
  await playAllIn(run, job.warmUpMatches, WARM_UP_AT_ONCE);
  const figures: MovesFigures[] = [];
  for (const load of job.loads) figures.push(await measureLoad(run, load));
  return figures;
}

async function measureLoad(run: Run, load: MovesLoad): Promise<MovesFigures> {
  const latencies: number[] = [];
  let cost = NO_COST;
  let moves = 0;
  let frames = 0;
  let bytes = 0;
  for (let i = 0; i < load.plays; i++) {
    const play = await playTogether(run, load.matches, latencies);
    cost = addCosts(cost, play.cost);
    moves += play.moves;
    frames += play.frames;
    bytes += play.bytes;
  }
  const bytesBefore = run.traffic.bytes;
  const allIn = await playAllIn(run, load.allInMatches, load.matches);
  return {
    matches: load.matches,
    moves,
    cpuUsPerMove: cost.cpuUs / moves,
    movesPerSecond: perSecond(moves, cost),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    allInUsPerMove: allIn.cost.cpuUs / allIn.moves,
    allInMovesPerSecond: perSecond(allIn.moves, allIn.cost),
    framesPerMove: frames / moves,
    bytesPerMove: bytes / moves,
    bytesPerMatch: (run.traffic.bytes - bytesBefore) / load.allInMatches,
    ...coresOf(cost),
  };
}

/** Connects all matches, then counts only the moves. */
async function playTogether(run: Run, count: number, latencies: number[]) {
  const matches = await runMany(count, OPENING_MAX, () =>
    openScripted(run.adapter, run.nextIndex()),
  );
  await Bun.sleep(PAUSE_MS);
  const before = { ...run.traffic };
  let moves = 0;
  const cost = await costOf(run.pid, async () => {
    const played = await Promise.all(matches.map((match) => match.play(latencies)));
    for (const count of played) moves += count;
  });
  const frames = run.traffic.frames - before.frames;
  const bytes = run.traffic.bytes - before.bytes;
  await Promise.all(matches.map((match) => match.leave()));
  await Bun.sleep(PAUSE_MS);
  return { moves, cost, frames, bytes };
}

/** Plays `count` matches from create to leave, `atOnce` at a time, and counts everything. */
async function playAllIn(run: Run, count: number, atOnce: number) {
  let moves = 0;
  const cost = await costOf(run.pid, async () => {
    await runMany(count, atOnce, async () => {
      const match = await openScripted(run.adapter, run.nextIndex());
      const played = await match.play([]);
      moves += played;
      await match.leave();
    });
  });
  return { moves, cost };
}
