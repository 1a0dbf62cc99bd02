/** Waits for a test's condition, with a time limit. */

const POLL_INTERVAL_MS = 2;
const WAIT_MAX_MS = 15_000;

export async function until(isSo: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + WAIT_MAX_MS;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await pass(POLL_INTERVAL_MS);
  }
}

export function pass(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
