/** The ports to time and randomness. Nothing else may ask the machine for either. */

/** Cancels a timer; harmless once it has fired. */
export type Cancel = () => void;

export interface Clock {
  /** Milliseconds since 1970. Never runs backwards within a process. */
  now(): number;
  /** Calls `run` once, after at least `ms` milliseconds. */
  after(ms: number, run: () => void): Cancel;
}

export interface Randomness {
  /** Unpredictable bytes. */
  bytes(count: number): Uint8Array;
}
