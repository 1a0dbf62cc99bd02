/**
 * Runs inside a server that is profiled, before anything else (`--preload`): samples what the thread
 * executes and writes it down every second. Threads that the server starts are given the agent, too.
 */

import { renameSync, writeFileSync } from 'node:fs';
import inspector from 'node:inspector';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const SAMPLE_EVERY_US = 500;
const SLICE_MS = 1_000;
const folder = process.env.BENCH_PROFILE_DIR!;
const thread = process.env.BENCH_PROFILE_THREAD ?? 'main';

type WorkerModule = typeof import('node:worker_threads');
type WorkerOptions = import('node:worker_threads').WorkerOptions;

const workerModule = createRequire(import.meta.url)('node:worker_threads') as WorkerModule;
const session = new inspector.Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
session.post('Profiler.start');
let slices = 0;
setInterval(writeSlice, SLICE_MS).unref();
if (workerModule.isMainThread) giveWorkersTheAgent();

function writeSlice(): void {
  session.post('Profiler.stop', (_error, result) => {
    const file = join(folder, `${process.pid}-${thread}-${workerModule.threadId}-${slices++}`);
    // Named so that it is read once it is whole.
    writeFileSync(file, JSON.stringify(result.profile));
    renameSync(file, `${file}.json`);
  });
  session.post('Profiler.start');
}

/** Workers do not inherit `--preload`, so it is added where they are made. */
function giveWorkersTheAgent(): void {
  const { Worker } = workerModule;
  workerModule.Worker = class extends Worker {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      const name = /([\w-]+)\.\w+$/.exec(String(file))?.[1] ?? 'worker';
      const env = { ...process.env, BENCH_PROFILE_THREAD: name };
      super(file, { ...options, env, preload: [import.meta.path] } as WorkerOptions);
    }
  };
}
