/** Serializes a connection that reads and writes, so that reads do not see an open transaction. */

export interface Gate {
  /** Waits for earlier writes. */
  write<T>(act: () => Promise<T>): Promise<T>;
  /** Immediately if nothing is being written, otherwise when all writes are done. */
  read<T>(act: () => T | Promise<T>): Promise<T>;
}

export function makeGate(): Gate {
  /** The end of the last write; null if none is running. */
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
