/** Measures the cost of connecting a player, on two servers in short turns. */

import type { ConnectsFigures, ConnectsJob, ServerUnderTest } from '../jobs.ts';
import type { MakeConnecting } from './connecting.ts';
import { connectToBare, connectToMatchd } from './connecting.ts';
import type { Cost } from './measure.ts';
import { addCosts, coresOf, costOf, NO_COST, perSecond } from './measure.ts';

/** A server's late work must not count for the next span, nor for the other server. */
const PAUSE_MS = 200;
const PLAYERS = 2;

interface Side {
  turn(matches: number): Promise<Cost>;
  close(): void;
}

export async function measureConnects(job: ConnectsJob): Promise<ConnectsFigures> {
  const sides = {
    matchd: makeSide(job.server, connectToMatchd),
    bare: makeSide(job.bare, connectToBare),
  };
  const costs = { matchd: NO_COST, bare: NO_COST };
  for (let n = 0; n < job.warmUpTurns + job.turns; n++) {
    // The one that begins finds the other's caches, so they begin alternately.
    const order = n % 2 === 0 ? (['matchd', 'bare'] as const) : (['bare', 'matchd'] as const);
    for (const name of order) {
      const cost = await sides[name].turn(job.matches);
      if (n >= job.warmUpTurns) costs[name] = addCosts(costs[name], cost);
    }
  }
  for (const side of Object.values(sides)) side.close();
  const connects = job.turns * job.matches * PLAYERS;
  const figuresOf = (cost: Cost): ConnectsFigures['matchd'] => ({
    cpuUsPerConnect: cost.cpuUs / connects,
    connectsPerSecond: perSecond(connects, cost),
    ...coresOf(cost),
  });
  return { matchd: figuresOf(costs.matchd), bare: figuresOf(costs.bare) };
}

function makeSide({ address, key, pid }: ServerUnderTest, make: MakeConnecting): Side {
  const connecting = make({ address, key, traffic: { bytes: 0, frames: 0 } });
  return {
    async turn(matches) {
      await connecting.create(matches);
      await Bun.sleep(PAUSE_MS);
      const cost = await costOf(pid, () => connecting.connect());
      await connecting.end();
      await Bun.sleep(PAUSE_MS);
      return cost;
    },
    close: () => connecting.close(),
  };
}
