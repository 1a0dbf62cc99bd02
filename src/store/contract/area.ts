/** What the cases of a whole store are told with: the store, others of the same place, its next life. */

import type { Store } from '../whole-store.ts';

/** Where stores keep things. Any number of them may be open on it at once, as those of nodes are. */
export interface StorePlace {
  open(): Promise<Store>;
  /** What was kept is not needed any more; all stores are closed. */
  remove(): Promise<void>;
}

export interface AreaStage {
  /** Opened on a place with nothing in it. */
  readonly store: Store;
  /** One more store on the same place, open until the case ends. */
  another(): Promise<Store>;
  /** Closes the store, and opens what it kept. */
  reopen(): Promise<Store>;
}

export interface AreaCase {
  /** Begins with the rule it proves. */
  readonly title: string;
  run(stage: AreaStage): Promise<void>;
}

/** Runs a case on a place of its own. */
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

/** So many at once; what each answered, in the order of the calls. */
export function times<T>(n: number, act: (i: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: n }, (_, i) => act(i)));
}
