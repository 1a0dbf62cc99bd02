/** How a process is told to stop. */

/** Resolves at the first SIGTERM or SIGINT; the second ends the process at once. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}
