/** A lock between processes: a file that its owner touches while it works. */

import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** How often the owner touches the lock. */
const HEARTBEAT_MS = 1_000;
/** A lock untouched for this long was left by a process that died. */
const DEAD_AFTER_MS = 10_000;
/** How often waiting processes check again. */
const RETRY_MS = 100;
/**
 * After replacing a dead lock: long enough for a process that replaced it concurrently to have done
 * so.
 */
const SETTLE_MS = 300;

const holder = (file) => {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};

function isDead(file, deadAfterMs) {
  try {
    return Date.now() - fs.statSync(file).mtimeMs > deadAfterMs;
  } catch {
    return false; // Released at this moment; the next attempt takes it.
  }
}

/** Takes the lock if it is free or its owner is dead. */
async function tryTake(file, token, deadAfterMs) {
  try {
    fs.writeFileSync(file, token, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  if (!isDead(file, deadAfterMs)) return false;
  // Several may see the same dead lock: the last to replace it has it, and all wait to see which
  // one.
  const own = `${file}.${token}`;
  fs.writeFileSync(own, token);
  fs.renameSync(own, file);
  await delay(SETTLE_MS);
  return holder(file) === token;
}

/**
 * Runs `work` while no other process runs its own under the same lock file. `work` gets a signal
 * that is aborted when this process is told to stop; the process ends once the work has.
 */
export async function withLock(file, work, deadAfterMs = DEAD_AFTER_MS) {
  const token = randomUUID();
  fs.mkdirSync(path.dirname(file), { recursive: true });
  for (let waits = 0; !(await tryTake(file, token, deadAfterMs)); waits += 1) {
    if (waits === 0) process.stderr.write('matchd: waiting for another setup of this folder …\n');
    await delay(RETRY_MS);
  }
  const free = () => {
    if (holder(file) === token) fs.rmSync(file, { force: true });
  };
  const controller = new AbortController();
  const stop = (name) => controller.abort(name);
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const heartbeat = setInterval(() => {
    const now = new Date();
    fs.utimes(file, now, now, () => {});
  }, HEARTBEAT_MS);
  try {
    return await work(controller.signal);
  } finally {
    clearInterval(heartbeat);
    process.off('SIGINT', stop).off('SIGTERM', stop);
    free();
    if (controller.signal.aborted) process.exit(controller.signal.reason === 'SIGINT' ? 130 : 143);
  }
}
