/** Which streams a tenant has open in each mode: what a plan caps, and what ends with its key. */

import type { EventWorld } from '../events/event.ts';
import { worldName } from '../events/event.ts';

export interface StreamPlace {
  /** Has `end` called once the stream may go on no longer. */
  onEnd(end: () => void): void;
  /** The stream is over: it counts no more. */
  leave(): void;
}

export interface StreamCensus {
  /**
   * Counts one more, unless `max` of its world are open (rule H6): then null. `mayStay` tells
   * whether whoever asked for it may still have it.
   */
  open(world: EventWorld, max: number, mayStay: () => Promise<boolean>): StreamPlace | null;
  /** Ends the streams that may not stay (rule K2). To be called every second. */
  tend(): Promise<void>;
}

interface OpenStream {
  readonly mayStay: () => Promise<boolean>;
  end: () => void;
}

export function makeStreamCensus(): StreamCensus {
  const counts = new Map<string, number>();
  const open = new Set<OpenStream>();
  return {
    open(world, max, mayStay) {
      const name = worldName(world);
      const count = counts.get(name) ?? 0;
      if (count >= max) return null;
      counts.set(name, count + 1);
      const stream: OpenStream = { mayStay, end: () => {} };
      open.add(stream);
      return {
        onEnd(end) {
          stream.end = end;
        },
        leave() {
          if (!open.delete(stream)) return;
          const left = counts.get(name)! - 1;
          if (left > 0) counts.set(name, left);
          else counts.delete(name);
        },
      };
    },
    async tend() {
      const looks = [...open].map(async (stream) => {
        if (!(await stream.mayStay())) stream.end();
      });
      await Promise.all(looks);
    },
  };
}
