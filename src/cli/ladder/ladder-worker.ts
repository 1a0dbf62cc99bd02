/** A thread that plays rounds of a ladder, one at a time. */

import { parentPort } from 'node:worker_threads';
import type { RoundTask } from './ladder-round.ts';
import { playRound } from './ladder-round.ts';

const port = parentPort!;

port.on('message', (task: RoundTask) => port.postMessage(playRound(task)));
