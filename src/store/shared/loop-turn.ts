/** Resolves in the next turn of the event loop: who computes for long lets others be served. */
export function loopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
