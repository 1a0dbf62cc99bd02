/** Runs calls with the same key one after another; calls with other keys run meanwhile. */
export interface InTurn {
  /** Starts once the earlier calls with the same key have settled. */
  run<T>(about: string, act: () => Promise<T>): Promise<T>;
  /** Resolves when all calls so far have settled. */
  settled(about: string): Promise<void>;
}

export function makeInTurn(): InTurn {
  /** The last call of each key. */
  const ends = new Map<string, Promise<void>>();
  const settled = (about: string): Promise<void> => ends.get(about) ?? Promise.resolve();
  return {
    settled,
    run(about, act) {
      const mine = settled(about).then(act);
      const leave = (): void => {
        if (ends.get(about) === end) ends.delete(about);
      };
      const end: Promise<void> = mine.then(leave, leave);
      ends.set(about, end);
      return mine;
    },
  };
}
