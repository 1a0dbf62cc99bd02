/** Resolves in the next turn of the event loop, so that a long computation does not block other work. */
export function loopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
