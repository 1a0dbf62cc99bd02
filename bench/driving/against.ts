/**
 * Measures two servers of one protocol in short turns, so that other load on the machine slows
 * both.
 */

import type { Version } from '../adapters/matchd.ts';
import { createSession, keyHeaders, makeMatchdAdapter } from '../adapters/matchd.ts';
import type { AgainstFigures, AgainstJob, MatchCosts, ServerUnderTest } from '../jobs.ts';
import { compileNs } from '../kernel.ts';
import { makeHttpClient } from './http-client.ts';
import { openScripted, type Target } from './match.ts';
import type { Cost } from './measure.ts';
import { costOf, runMany } from './measure.ts';

/** Sessions made, or matches set up, at the same time. */
const OPENING_MAX = 32;
/** A server's late work must not count for the next span, nor for the other server. */
const PAUSE_MS = 200;
const NS_PER_US = 1_000;

/** One of the two, with what the driver needs to play on it. */
interface Side {
  readonly turn: (matches: number) => Promise<MatchCosts>;
  close(): void;
}

export async function measureAgainst(job: AgainstJob): Promise<AgainstFigures> {
  const server = makeSide(job.server, job.version);
  const other = makeSide(job.other, job.otherVersion);
  const turns: AgainstFigures[] = [];
  for (let n = 0; n < job.warmUpTurns + job.turns; n++) {
    // The first one profits from the other's caches, so they begin alternately.
    const isFirst = n % 2 === 0;
    const first = await (isFirst ? server : other).turn(job.matches);
    const second = await (isFirst ? other : server).turn(job.matches);
    if (n < job.warmUpTurns) continue;
    turns.push(isFirst ? { server: first, other: second } : { server: second, other: first });
  }
  server.close();
  other.close();
  const mean = (pick: (turn: AgainstFigures) => MatchCosts): MatchCosts => meanOf(turns.map(pick));
  return { server: mean((turn) => turn.server), other: mean((turn) => turn.other) };
}

function makeSide({ address, key, pid }: ServerUnderTest, version: Version): Side {
  const target: Target = { address, key, traffic: { bytes: 0, frames: 0 } };
  const adapter = makeMatchdAdapter(target, version);
  const http = makeHttpClient(address, OPENING_MAX, keyHeaders(key));
  let index = 0;
  /** The server's cost of one of `matches`, in µs. */
  const each = async (matches: number, work: () => Promise<void>): Promise<number> => {
    const cost: Cost = await costOf(pid, work);
    await Bun.sleep(PAUSE_MS);
    return cost.cpuUs / matches;
  };
  return {
    async turn(matches) {
      const create = await each(matches, async () => {
        await runMany(matches, OPENING_MAX, () => createSession(http, index++, {}));
      });
      let open: Awaited<ReturnType<typeof openScripted>>[] = [];
      const opening = await each(matches, async () => {
        open = await runMany(matches, OPENING_MAX, () => openScripted(adapter, index++));
      });
      const play = await each(matches, async () => {
        await Promise.all(open.map((match) => match.play([])));
      });
      const leave = await each(matches, async () => {
        await Promise.all(open.map((match) => match.leave()));
      });
      const compiledNs = compileNs(pid);
      const allIn = await each(matches, async () => {
        await runMany(matches, matches, async () => {
          const match = await openScripted(adapter, index++);
          await match.play([]);
          await match.leave();
        });
      });
      const compiling = (compileNs(pid) - compiledNs) / NS_PER_US / matches;
      return { create, open: opening, play, leave, allIn, compiling };
    },
    close() {
      adapter.close();
      http.close();
    },
  };
}

function meanOf(costs: readonly MatchCosts[]): MatchCosts {
  const mean = (pick: (costs: MatchCosts) => number): number =>
    costs.reduce((sum, each) => sum + pick(each), 0) / costs.length;
  return {
    create: mean((each) => each.create),
    open: mean((each) => each.open),
    play: mean((each) => each.play),
    leave: mean((each) => each.leave),
    allIn: mean((each) => each.allIn),
    compiling: mean((each) => each.compiling),
  };
}
