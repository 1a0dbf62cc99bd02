/**
 * One queue: `bun bench/cluster/queue.ts [players] [nodes] [at once]`. Players of one tenant
 * request the same game, in turn at each node. How many a second are in a session, and how long did
 * it take?
 */

import { quantile, runMany } from '../driving/measure.ts';
import { makeNumber } from '../report.ts';
import { post, withNodes } from './nodes.ts';

const [players = 2_000, nodes = 1, atOnce = players] = process.argv.slice(2).map(Number);

await withNodes(nodes, async (servers, key) => {
  const sessions = new Map<string, number>();
  const errors: string[] = [];
  const began = performance.now();
  const tookMs = await runMany(players, atOnce, async (n) => {
    const asked = performance.now();
    const { url } = servers[n % servers.length]!;
    const body = { game: 'tictactoe', matchType: 'matchmaking', players: [{ id: `p${n}` }] };
    try {
      const { sessionId } = await post<{ sessionId: string }>({ url, key }, '/v1/sessions', body);
      sessions.set(sessionId, (sessions.get(sessionId) ?? 0) + 1);
    } catch (error) {
      errors.push(String(error));
    }
    return performance.now() - asked;
  });
  const seconds = (performance.now() - began) / 1_000;
  const full = [...sessions.values()].filter((seats) => seats === 2).length;
  const at = (p: number): string => makeNumber(quantile(tookMs, p));
  console.log(
    `${players} players, ${atOnce} at once, ${nodes} nodes: ${makeNumber(players / seconds)} a second, ` +
      `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; ${full} matches, ${sessions.size - full} of one player; ` +
      `${errors.length} refused ${errors[0] ?? ''}`,
  );
});
process.exit(0);
