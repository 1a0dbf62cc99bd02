/** Runs a program in our place: with our terminal, signals and exit code. */

import { spawn } from 'node:child_process';

const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/** How often we check whether npm is still running. */
const PARENT_CHECK_MS = 250;

/**
 * npm passes a signal on to the shell it starts scripts with, and many a shell dies of it without
 * passing it on. So under npm the end of our parent counts as a stop signal.
 */
function onParentGone(act) {
  if (!process.env.npm_lifecycle_event) return () => {};
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, PARENT_CHECK_MS);
  return () => clearInterval(timer);
}

/**
 * Starts the program and waits. Signals that we get are passed on to it. On a terminal Ctrl-C
 * reaches the whole group, so an interrupt is only ignored there, not sent twice. Resolves to `{
 * code, signal }`, of which one is null; rejects when it cannot be started.
 */
export function runChild(command, args, options = {}) {
  const child = spawn(command, args, { stdio: 'inherit', ...options });
  const forward = (signal) => {
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  const forgetParent = onParentGone(() => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  }).finally(() => {
    for (const signal of FORWARDED) process.off(signal, forward);
    forgetParent();
  });
}

/** Ends this process the way the child ended. */
export function exitLike({ code, signal }) {
  if (signal !== null) process.kill(process.pid, signal);
  process.exitCode = code ?? 1;
}
