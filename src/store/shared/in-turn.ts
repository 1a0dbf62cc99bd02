/** Calls about the same thing, one after another; those about others go on meanwhile. */
export interface InTurn {
  /** Begins once those before it about the same have ended, however they did. */
  run<T>(about: string, act: () => Promise<T>): Promise<T>;
  /** Resolves when those that were asked for so far have ended. */
  settled(about: string): Promise<void>;
}

export function makeInTurn(): InTurn {
  /** The end of the last one. */
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
