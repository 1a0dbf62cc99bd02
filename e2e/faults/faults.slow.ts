/** The short form of `npm run faults`: one process with SQLite, then four over PostgreSQL and NATS. */

// @alone: it measures times, which parallel tests would stretch.

import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { databaseFile } from '../../src/config.ts';
import { isNatsHere } from '../../src/testing/servers/nats.ts';
import { isPostgresHere } from '../../src/testing/servers/postgres.ts';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { FAULTS, type Fault } from './nemesis.ts';
import { type RunOptions, type RunReport, runFaults } from './run.ts';

const SEED = TEST_SEED;
const TEST_MS_MAX = 360_000;

const hasServers = isPostgresHere() && isNatsHere();

async function run(
  wish: Pick<RunOptions, 'minutes' | 'nodes' | 'matchesAtOnce'> & Partial<RunOptions>,
): Promise<RunReport> {
  const report = await runFaults({
    seed: SEED,
    faults: FAULTS,
    say: () => {},
    ...wish,
  });
  // Findings come last, where the end of a log shows them.
  const { findings, ...figures } = report;
  console.log(JSON.stringify(figures));
  return report;
}

/** Everything that must never happen, and evidence that there was something to lose. */
function expectWhole({ matches, tickets, rooms, deliveries, findings }: RunReport): void {
  const { lost, twice, stuck, unverified } = matches;
  expect({ findings, lost, twice, stuck, unverified }).toEqual({
    findings: [],
    lost: 0,
    twice: 0,
    stuck: 0,
    unverified: 0,
  });
  expect(matches.acked).toBeGreaterThan(100);
  expect(tickets.starts).toBeGreaterThan(6);
  expect(rooms.joins).toBeGreaterThan(10);
  expect(deliveries.events).toBeGreaterThan(200);
}

test(
  `[P4][M2][M5][E2] one process, seed ${SEED}: kills, pauses and drains lose nothing`,
  async () => {
    expectWhole(await run({ minutes: 0.4, nodes: 1, matchesAtOnce: 10 }));
  },
  TEST_MS_MAX,
);

/** Not one of the usual faults: a database that loses its latest commits. */
const FORGET: Fault = {
  name: 'forget',
  needsCluster: false,
  async run({ fleet }) {
    const node = fleet.nodes[0]!;
    await node.kill();
    const db = new Database(databaseFile(node.dataDir));
    db.run(`DELETE FROM log WHERE v > 4 AND (session, v) IN (
      SELECT session, max(v) FROM log JOIN session ON id = session WHERE status = 'active' GROUP BY session
    )`);
    db.close();
    await node.start();
  },
};

test(
  `[P4] seed ${SEED}: a database that loses a move is detected`,
  async () => {
    // A lost move leaves both players waiting for the other until the turn runs out.
    const short = { minutes: 0.1, turnTimeoutMs: 5_000, matchesOnly: true };
    const wish = { ...short, nodes: 1, matchesAtOnce: 10, faults: [FORGET] };
    const { matches, findings } = await run(wish);
    expect(matches.lost).toBeGreaterThan(0);
    expect(findings.some((finding) => finding.startsWith('I1'))).toBe(true);
  },
  TEST_MS_MAX,
);

describe.skipIf(!hasServers)('four nodes', () => {
  test(
    `[N2][N3][N5][N6][P4][M2][M5][E2][H6] seed ${SEED}: no fault loses a move, seats one player too many or drops an event`,
    async () => {
      const report = await run({ minutes: 1.5, nodes: 4, matchesAtOnce: 16 });
      expectWhole(report);
      expect(report.times['SIGKILL of the owner']!.count).toBeGreaterThan(0);
    },
    TEST_MS_MAX,
  );
});
