/** Reads that follow changes: never two at once, and never one that began before the last change. */

/**
 * Calls while `act` runs share one more run after it: what it reads may be older than the call.
 * The promise of each call ends with the last of these runs, or with the first that fails.
 */
export function makeSerial(act: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let isRepeated = false;
  const run = async (): Promise<void> => {
    try {
      do {
        isRepeated = false;
        await act();
      } while (isRepeated);
    } finally {
      running = null;
    }
  };
  return () => {
    isRepeated = true;
    running ??= run();
    return running;
  };
}
