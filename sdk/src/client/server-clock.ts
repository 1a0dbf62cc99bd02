/** How far the server's clock is from ours, and how long a round trip takes, from pings. */

/** Pings that are remembered: the quickest of them is trusted. */
const SAMPLES_MAX = 8;

interface Sample {
  readonly roundTripMs: number;
  readonly offsetMs: number;
}

export interface ServerClock {
  /** What to add to our time to get the server's, in milliseconds. */
  readonly offsetMs: number;
  /** The last round trip; null before the first. */
  readonly roundTripMs: number | null;
  /** Takes one ping: our times of sending and receiving, and the server's time in between. */
  take(sentAt: number, receivedAt: number, serverNow: number): void;
}

export function makeServerClock(): ServerClock {
  const samples: Sample[] = [];
  return {
    get offsetMs() {
      const quickest = samples.reduce<Sample | null>(
        (best, each) => (best === null || each.roundTripMs < best.roundTripMs ? each : best),
        null,
      );
      return quickest?.offsetMs ?? 0;
    },
    get roundTripMs() {
      return samples.at(-1)?.roundTripMs ?? null;
    },
    take(sentAt, receivedAt, serverNow) {
      const roundTripMs = receivedAt - sentAt;
      samples.push({ roundTripMs, offsetMs: serverNow - (sentAt + roundTripMs / 2) });
      if (samples.length > SAMPLES_MAX) samples.shift();
    },
  };
}
