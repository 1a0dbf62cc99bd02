/** The difference between the server's clock and ours, and the round-trip time, from pings. */

/** Stored pings: the quickest of them is trusted. */
const SAMPLES_MAX = 8;

interface Sample {
  readonly roundTripMs: number;
  readonly offsetMs: number;
}

export interface ServerClock {
  /** The server's time minus ours, in milliseconds. */
  readonly offsetMs: number;
  /** The last round trip; null before the first. */
  readonly roundTripMs: number | null;
  /** Adds one ping: our times of sending and receiving, and the server's time in between. */
  take(sentAt: number, receivedAt: number, serverNow: number): void;
}

/** Each is accurate to half its round trip. Two that contradict each other are from before and after ours was set. */
function agree(one: Sample, other: Sample): boolean {
  const apart = Math.abs(one.offsetMs - other.offsetMs);
  return 2 * apart <= one.roundTripMs + other.roundTripMs;
}

export function makeServerClock(): ServerClock {
  let samples: Sample[] = [];
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
      // Our clock was set back meanwhile.
      if (roundTripMs < 0) return;
      const newest = { roundTripMs, offsetMs: serverNow - (sentAt + roundTripMs / 2) };
      samples = [...samples.filter((each) => agree(each, newest)), newest].slice(-SAMPLES_MAX);
    },
  };
}
