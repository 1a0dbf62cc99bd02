/** Which lists of a world have changed: for the dashboard's pages, which then ask for them again (rule D11). */

import type { EventWorld } from '../../events/event.ts';
import { worldName } from '../../events/event.ts';
import type { Cancel, Clock } from '../ports.ts';
import type { EventFeed } from './event-feed.ts';

/** Lists that a page may show. */
export const CHANGE_LISTS = [
  'sessions',
  'players',
  'tickets',
  'verdicts',
  'keys',
  'requests',
  'webhooks',
  'metrics',
] as const;
export type ChangedList = (typeof CHANGE_LISTS)[number];

/** The messages between nodes: worlds by name, and their changed lists. */
export type WorldChanges = readonly (readonly [world: string, list: ChangedList])[];

export interface ChangeWatch {
  /** Changes since the last call; empty for none, or if the last call was too recent. */
  next(): Promise<readonly ChangedList[]>;
  /** Calls `wake` when `next` may have something. */
  wait(wake: () => void): Cancel;
  leave(): void;
}

export interface Changes {
  /** A change without an event. */
  mark(world: EventWorld, list: ChangedList): void;
  /** In all worlds that are watched here. */
  markAll(list: ChangedList): void;
  /** A change that another node reported. */
  heard(changes: WorldChanges): void;
  /** Changes since the last call, for the other nodes, once a second. */
  take(): WorldChanges;
  /** `isBack`: the reader was away for a while, so everything may have changed. */
  watch(world: EventWorld, isBack: boolean): Promise<ChangeWatch>;
}

/** A page is notified at most this often. Ms. */
const GAP_MS = 1_000;
/** Events read at a time. With more than these, every list counts as changed. */
const EVENTS_MAX = 100;
/** Reported changes between two calls. Further ones are dropped: pages refresh once a minute. */
const TOLD_MAX = 1_000;

/** By the part of an event's type before the dot. A move changes no list. */
const OF_EVENTS: Readonly<Record<string, readonly ChangedList[]>> = {
  session: ['sessions'],
  player: ['sessions', 'players'],
  bot: ['sessions'],
  ticket: ['tickets'],
  group: ['tickets', 'sessions'],
  integrity: ['verdicts'],
  key: ['keys'],
};
const ALL_OF_EVENTS = [...new Set(Object.values(OF_EVENTS).flat())];

interface Watcher {
  readonly pending: Set<ChangedList>;
  wake: () => void;
}

export function makeChanges(
  feed: Pick<EventFeed, 'head' | 'read' | 'wait'>,
  clock: Pick<Clock, 'now' | 'after'>,
): Changes {
  const watchers = new Map<string, Set<Watcher>>();
  /** By world and list, so that each is reported once. */
  let marked = new Map<string, WorldChanges[number]>();
  const tell = (name: string, list: ChangedList): void => {
    for (const watcher of watchers.get(name) ?? []) {
      watcher.pending.add(list);
      watcher.wake();
    }
  };
  return {
    mark(world, list) {
      const name = worldName(world);
      if (marked.size < TOLD_MAX) marked.set(`${name} ${list}`, [name, list]);
      tell(name, list);
    },
    markAll(list) {
      for (const name of watchers.keys()) tell(name, list);
    },
    heard(changes) {
      for (const [name, list] of changes) tell(name, list);
    },
    take() {
      const taken = [...marked.values()];
      marked = new Map();
      return taken;
    },
    async watch(world, isBack) {
      const head = await feed.head(world);
      const name = worldName(world);
      const watcher: Watcher = { pending: new Set(isBack ? CHANGE_LISTS : []), wake: () => {} };
      const here = watchers.get(name) ?? new Set();
      watchers.set(name, here.add(watcher));
      const leave = (): void => {
        here.delete(watcher);
        if (here.size === 0 && watchers.get(name) === here) watchers.delete(name);
      };
      return { ...makeReads({ feed, clock, world, watcher, head }), leave };
    },
  };
}

interface Reading {
  readonly feed: Pick<EventFeed, 'head' | 'read' | 'wait'>;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly world: EventWorld;
  readonly watcher: Watcher;
  /** The end of the log when it began. */
  readonly head: number;
}

function makeReads({ feed, clock, world, watcher, head }: Reading): Omit<ChangeWatch, 'leave'> {
  const { pending } = watcher;
  let seq = head;
  let notBefore = 0;
  return {
    async next() {
      if (clock.now() < notBefore) return [];
      const events = await feed.read(world, seq, EVENTS_MAX);
      for (const { type } of events) {
        for (const list of OF_EVENTS[type.split('.', 1)[0]!] ?? []) pending.add(list);
      }
      seq = events.at(-1)?.seq ?? seq;
      if (events.length === EVENTS_MAX) {
        seq = Math.max(seq, await feed.head(world));
        for (const list of ALL_OF_EVENTS) pending.add(list);
      }
      const lists = [...pending];
      pending.clear();
      if (lists.length + events.length > 0) notBefore = clock.now() + GAP_MS;
      return lists;
    },
    wait(wake) {
      let cancel: Cancel = () => {};
      const soon = (): void => {
        cancel();
        const restMs = notBefore - clock.now();
        if (restMs <= 0) wake();
        else cancel = clock.after(restMs, wake);
      };
      watcher.wake = soon;
      const leaveFeed = feed.wait(world, seq, soon);
      if (pending.size > 0) soon();
      return () => {
        watcher.wake = () => {};
        leaveFeed();
        cancel();
      };
    },
  };
}
