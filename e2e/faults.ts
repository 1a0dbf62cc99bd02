/** `npm run faults -- --minutes 60`: real processes under real faults. Ends with 1 if anything is lost. */

import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findNats } from '../src/testing/servers/nats.ts';
import { isPostgresHere } from '../src/testing/servers/postgres.ts';
import { FAULTS } from './faults/nemesis.ts';
import { runFaults } from './faults/run.ts';

const USAGE = `Usage: npm run faults -- [options]

  --minutes N     how long faults are made, each at least once (default: 5)
  --seed N        the same faults in the same order (default: by the clock)
  --nodes N       processes; 1 is one with SQLite (default: 4)
  --matches N     matches at once (default: 30)
  --faults A,B    only these of: ${FAULTS.map(({ name }) => name).join(', ')}
  --matches-only  no tickets, rooms, limits and webhooks
  --json FILE     the report as a file
  --evidence FILE what was seen around each finding, a line of JSON each
  --help          shows this`;

const values = readOptions();

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string', default: '5' },
        seed: { type: 'string', default: String(Date.now() % 1_000_000) },
        nodes: { type: 'string', default: '4' },
        matches: { type: 'string', default: '30' },
        faults: { type: 'string' },
        'matches-only': { type: 'boolean', default: false },
        json: { type: 'string' },
        evidence: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    for (const name of ['minutes', 'seed', 'nodes', 'matches'] as const) {
      if (!(Number(values[name]) > 0)) throw new Error(`--${name} must be a number above 0`);
    }
    for (const wanted of values.faults?.split(',') ?? []) {
      if (!FAULTS.some(({ name }) => name === wanted)) throw new Error(`No such fault: ${wanted}`);
    }
    return values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(2);
  }
}

const nodes = Number(values.nodes);
if (nodes > 1 && (!isPostgresHere() || findNats() === null)) {
  console.error('Missing: postgresql or nats-server. `--nodes 1` runs one process with SQLite.');
  process.exit(2);
}
const began = performance.now();
const report = await runFaults({
  minutes: Number(values.minutes),
  seed: Number(values.seed),
  nodes,
  matchesAtOnce: Number(values.matches),
  matchesOnly: values['matches-only'],
  faults: FAULTS.filter(({ name }) => values.faults?.split(',').includes(name) ?? true),
  onFound(finding, evidence) {
    const line = JSON.stringify({ at: new Date().toISOString(), finding, evidence });
    if (values.evidence !== undefined) appendFileSync(values.evidence, `${line}\n`);
  },
  say: (line) =>
    console.log(`${((performance.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${line}`),
});
const text = JSON.stringify(report, null, 2);
if (values.json !== undefined) await Bun.write(values.json, `${text}\n`);
console.log(text);
process.exit(report.findings.length === 0 ? 0 : 1);
