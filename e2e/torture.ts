/** `npm run torture`: 20 rounds of 200 matches, a SIGKILL in each. Ends with 1 if anything is lost. */

import { parseArgs } from 'node:util';
import { torture } from './torture/torture.ts';

const USAGE = `Usage: npm run torture -- [options]

  --rounds N      rounds, each of a service that starts, plays, is killed and recovers (default: 20)
  --matches N     matches of a round, at once (default: 200)
  --kills N       kills of a round, at moments of the seed (default: 1)
  --seed N        the same moments and moves (default: by the clock)
  --runtime NAME  what the service runs on: bun or node (default: bun)
  --help          shows this`;

const values = readOptions();

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        rounds: { type: 'string', default: '20' },
        matches: { type: 'string', default: '200' },
        kills: { type: 'string', default: '1' },
        seed: { type: 'string', default: String(Date.now() % 1_000_000) },
        runtime: { type: 'string', default: 'bun' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    for (const name of ['rounds', 'matches', 'kills', 'seed'] as const) {
      if (!Number.isInteger(Number(values[name])) || Number(values[name]) < 0) {
        throw new Error(`--${name} must be a whole number`);
      }
    }
    if (!['bun', 'node'].includes(values.runtime)) throw new Error('--runtime: bun or node');
    return values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(2);
  }
}

console.log(`seed ${values.seed}`);
const report = await torture({
  rounds: Number(values.rounds),
  matches: Number(values.matches),
  kills: Number(values.kills),
  seed: Number(values.seed),
  runtime: values.runtime === 'node' ? 'node' : 'bun',
  say: (line) => console.log(line),
});
const { complaints, ...figures } = report;
console.log(JSON.stringify(figures));
for (const complaint of complaints.slice(0, 20)) console.log(`complaint: ${complaint}`);
const { lost, twice, stuck, unverified } = report;
process.exit(lost + twice + stuck + unverified + complaints.length === 0 ? 0 : 1);
