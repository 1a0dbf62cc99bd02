/** Turns on a connection that reads and writes: a transaction that is under way is seen by nobody but itself. */

export interface Gate {
  /** Waits for the writes before it. */
  write<T>(act: () => Promise<T>): Promise<T>;
  /** At once where nothing is written, else when all of it is. */
  read<T>(act: () => T | Promise<T>): Promise<T>;
}

export function makeGate(): Gate {
  /** The end of the write that came last; null where none is under way. */
  let last: Promise<void> | null = null;
  return {
    write(act) {
      const done = last === null ? act() : last.then(act);
      const leave = (): void => {
        if (last === end) last = null;
      };
      const end: Promise<void> = done.then(leave, leave);
      last = end;
      return done;
    },
    async read(act) {
      while (last !== null) await last;
      return act();
    },
  };
}
