/** `npm run torture`: 20 rounds of 200 matches, a SIGKILL in each. Ends with 1 if anything is lost. */

import { parseArgs } from 'node:util';
import { torture } from './torture/torture.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    matches: { type: 'string', default: '200' },
    kills: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    runtime: { type: 'string', default: 'bun' },
  },
});

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
