/** How a process is told to stop. */

/** Signals so soon after the first are the same one: a terminal tells the npm between it and us, too. */
const SAME_MS = 500;
/** What is left after the end, as the last lines of the log, has so long. Ms. */
const LEFT_MS = 200;
/** Exit codes as shells give them to whoever ends by a signal. */
const EXIT_CODES = { SIGTERM: 143, SIGINT: 130 } as const;

/** Resolves at the first SIGTERM or SIGINT; a later one ends the process at once. */
export function untilStopped(): Promise<void> {
  let toldAt: number | null = null;
  return new Promise((resolve) => {
    for (const [signal, code] of Object.entries(EXIT_CODES)) {
      process.on(signal, () => {
        toldAt ??= performance.now();
        if (performance.now() - toldAt > SAME_MS) process.exit(code);
        resolve();
      });
    }
  });
}

/**
 * Ends the process, with the exit code it has by then, whatever timers are left. To be called when all
 * is closed; it may be called where nothing is left.
 */
export function endSoon(): void {
  setTimeout(() => process.exit(), LEFT_MS).unref();
}
