/** What the cases of a whole store use: the store, further stores on the same database, and a reopened one. */

import type { Store } from '../whole-store.ts';

/** A database that stores open. Any number may be open on it at once, like those of nodes. */
export interface StorePlace {
  open(): Promise<Store>;
  /** All stores are closed; deletes the data. */
  remove(): Promise<void>;
}

export interface AreaStage {
  /** A store on an empty database. */
  readonly store: Store;
  /** Another store on the same database, open until the case ends. */
  another(): Promise<Store>;
  /** Closes the store and opens it again. */
  reopen(): Promise<Store>;
}

export interface AreaCase {
  /** Begins with the rule it proves. */
  readonly title: string;
  run(stage: AreaStage): Promise<void>;
}

/** Runs a case on its own database. */
export async function runOn(place: StorePlace, { run }: AreaCase): Promise<void> {
  let store = await place.open();
  const others: Store[] = [];
  const stage: AreaStage = {
    store,
    async another() {
      const other = await place.open();
      others.push(other);
      return other;
    },
    async reopen() {
      await store.close();
      store = await place.open();
      return store;
    },
  };
  try {
    await run(stage);
  } finally {
    for (const each of [store, ...others]) await each.close();
    await place.remove();
  }
}

/** That many calls at once; returns their results, in the order of the calls. */
export function times<T>(n: number, act: (i: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: n }, (_, i) => act(i)));
}
