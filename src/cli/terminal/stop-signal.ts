/** How a process is told to stop. */

/**
 * Signals this soon after the first are the same one: a terminal also signals the npm between it
 * and us.
 */
const SAME_MS = 500;
/** The time for remaining work after the end, such as the last lines of the log. Ms. */
const LEFT_MS = 200;
/** Exit codes that shells use for processes ended by a signal. */
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
 * Ends the process, with its current exit code, whatever timers are left. To be called when
 * everything is closed; it need not be called if nothing is left.
 */
export function endSoon(): void {
  setTimeout(() => process.exit(), LEFT_MS).unref();
}
