/** A tenant's open streams in each mode: limited by the plan, and ended with their key. */

import type { EventWorld } from '../../events/event.ts';
import { worldName } from '../../events/event.ts';
import { settleAll } from './calls.ts';
import { makeLocalPlaces, type Places } from './places.ts';

export interface StreamPlace {
  /** Calls `end` once the stream must stop. */
  onEnd(end: () => void): void;
  /** The stream has ended: it no longer counts. */
  leave(): void;
}

export interface StreamCensus {
  /**
   * Counts one more, unless `max` of its world are open (rule H6): then null. `mayStay` tells whether the stream's
   * caller may still have it.
   */
  open(
    world: EventWorld,
    max: number,
    mayStay: () => Promise<boolean>,
  ): Promise<StreamPlace | null>;
  /** The same under another name: for the dashboard's streams, which no plan limits. */
  openAs(name: string, max: number, mayStay: () => Promise<boolean>): Promise<StreamPlace | null>;
  /** How many of a world are open on this node. */
  countHere(world: EventWorld): number;
  /**
   * Ends streams whose callers lost the right to them (rule K2). To be called every second. Rejects when the store
   * fails.
   */
  maintain(): Promise<void>;
}

interface OpenStream {
  readonly name: string;
  readonly mayStay: () => Promise<boolean>;
  end: () => void;
}

export function makeStreamCensus(places: Places = makeLocalPlaces()): StreamCensus {
  const open = new Set<OpenStream>();
  const openAs: StreamCensus['openAs'] = async (name, max, mayStay) => {
    const leave = await places.take(name, max);
    if (leave === null) return null;
    const stream: OpenStream = { name, mayStay, end: () => {} };
    open.add(stream);
    return {
      onEnd(end) {
        stream.end = end;
      },
      leave() {
        open.delete(stream);
        leave();
      },
    };
  };
  return {
    openAs,
    open: (world, max, mayStay) => openAs(nameOf(world), max, mayStay),
    countHere(world) {
      const name = nameOf(world);
      return [...open].filter((stream) => stream.name === name).length;
    },
    async maintain() {
      const looks = [...open].map(async (stream) => {
        if (!(await stream.mayStay())) stream.end();
      });
      await settleAll(looks);
    },
  };
}

function nameOf(world: EventWorld): string {
  return `streams:${worldName(world)}`;
}
