/** Replaces calls of a store in place, on demand. */

/** A call as it was made. */
export interface WrappedCall {
  readonly name: string;
  readonly args: readonly unknown[];
  /** Makes the original call. */
  go(): Promise<unknown>;
}

type Calls = Record<string, (...args: readonly unknown[]) => Promise<unknown>>;

/** From now on `answer` replaces the calls with these names, all of which are asynchronous. */
export function wrapCalls<T extends object>(
  store: T,
  names: readonly (keyof T & string)[],
  answer: (call: WrappedCall) => Promise<unknown>,
): void {
  const calls = store as unknown as Calls;
  for (const name of names) {
    const call = calls[name]!;
    calls[name] = (...args) => answer({ name, args, go: () => call(...args) });
  }
}

/** During an outage calls are rejected. */
export interface Outage {
  /** Whether the store is away for this call. Calls about nodes' rows have the node's name first. */
  isAway(first: unknown, name: string): boolean;
}

export function makeOutage<T extends object>(
  store: T,
  names: readonly (keyof T & string)[],
): Outage {
  const outage: Outage = { isAway: () => false };
  wrapCalls(store, names, ({ name, args, go }) =>
    outage.isAway(args[0], name) ? Promise.reject(new Error('the store is away')) : go(),
  );
  return outage;
}
