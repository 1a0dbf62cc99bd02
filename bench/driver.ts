/**
 * The driver: a separate process that plays against one server and measures it. Reads a job as JSON
 * from standard input, prints the result as one line of JSON.
 */

import { makeBoardgameIoAdapter } from './adapters/boardgameio.ts';
import { makeCeilingAdapter } from './adapters/ceiling.ts';
import { makeColyseusAdapter } from './adapters/colyseus.ts';
import { makeMatchdAdapter, PATIENT } from './adapters/matchd.ts';
import { measureAgainst } from './driving/against.ts';
import { measureConnects } from './driving/connects.ts';
import { measureCreation, recordAnswer } from './driving/creation.ts';
import { measureHosted } from './driving/hosted.ts';
import { measureIdle } from './driving/idle.ts';
import type { MakeAdapter, Target } from './driving/match.ts';
import { measureMoves } from './driving/moves.ts';
import { measureProfile } from './driving/profile.ts';
import { fillWithSessions, touchSessions } from './driving/sleeping.ts';
import type { Contender, Job, JobResults } from './jobs.ts';

const ADAPTERS: Readonly<Record<Contender, MakeAdapter>> = {
  matchd: (target) => makeMatchdAdapter(target, 2),
  'matchd-v1': (target) => makeMatchdAdapter(target, 1),
  ceiling: makeCeilingAdapter,
  colyseus: makeColyseusAdapter,
  'colyseus-fast': makeColyseusAdapter,
  boardgameio: makeBoardgameIoAdapter,
};

/** For matches without moves: no time runs out. */
const PATIENT_ADAPTERS: Readonly<Record<Contender, MakeAdapter>> = {
  ...ADAPTERS,
  matchd: (target) => makeMatchdAdapter(target, 2, PATIENT),
  'matchd-v1': (target) => makeMatchdAdapter(target, 1, PATIENT),
};

function run(job: Job): Promise<JobResults[Job['kind']]> {
  const { address, key } = job.server;
  const target: Target = { address, key, traffic: { bytes: 0, frames: 0 } };
  switch (job.kind) {
    case 'moves':
      return measureMoves(job, ADAPTERS[job.contender](target), target.traffic);
    case 'record':
      return recordAnswer(job);
    case 'creation':
      return measureCreation(job);
    case 'fill':
      return fillWithSessions(job, target);
    case 'touch':
      return touchSessions(job, target);
    case 'hosted':
      return measureHosted(job, target);
    case 'against':
      return measureAgainst(job);
    case 'connects':
      return measureConnects(job);
    case 'idle':
      return measureIdle(job, PATIENT_ADAPTERS[job.contender](target));
    case 'profile':
      return measureProfile(job, target);
  }
}

try {
  const result = await run((await Bun.stdin.json()) as Job);
  console.log(JSON.stringify(result));
  process.exit(0);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
