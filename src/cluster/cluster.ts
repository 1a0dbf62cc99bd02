/** One node among others: wires its parts, and passes on what it hears of the other nodes. */

import type { Games } from '../games/games.ts';
import { makeCalls } from '../runtime/calls.ts';
import type { WorldChanges } from '../runtime/changes.ts';
import type { Erased } from '../runtime/host/host-deps.ts';
import type { LocalHost } from '../runtime/host/match-host.ts';
import type { Cancel, Clock } from '../runtime/ports.ts';
import type { QueueTurns } from '../runtime/queue.ts';
import type { ServiceRefusal } from '../runtime/session-service.ts';
import type { Tracing } from '../runtime/tracing.ts';
import type { ErasureStore, MemberStore } from '../store/cluster.ts';
import type { SessionRow, SessionStore } from '../store/store.ts';
import type { ClusterHost } from './cluster-host.ts';
import { makeClusterHost } from './cluster-host.ts';
import { type Handover, makeHandover, SETTLED_MS } from './handover.ts';
import type { Links } from './links.ts';
import type { MemberEvents, Members } from './members.ts';
import type { Item, News } from './messages.ts';
import { makeNames, type Names } from './names.ts';
import { makeNewsDesk, type NewsDesk } from './news.ts';
import { makeOutbox } from './outbox.ts';
import { type ClusterQueueTurns, makeClusterQueueTurns } from './queue-turns.ts';
import { makeSessionRouter } from './session-router.ts';
import { makeWatchCounts, type WatchCounts } from './watch-counts.ts';

/** While a node that drains gives its matches away its sockets stay open, for at most so long. Ms. */
export const GIVEN_FIRST_MS = 250;
/** So far the clocks of two nodes may be apart when they say what came first. Ms. */
const CLOCKS_APART_MS = 2_000;
/** How often a node without a lease looks whether it still has the bus. Ms. */
const BUS_LOOK_MS = 500;

export interface ClusterDeps {
  readonly node: string;
  readonly local: LocalHost;
  readonly links: Links;
  readonly members: Omit<Members, 'suspect'>;
  readonly store: Pick<SessionStore, 'loadSession'>;
  readonly games: Games;
  /** What the nodes share beside it. */
  readonly shared: Pick<MemberStore, 'holderOf' | 'claim' | 'listStrays' | 'listHeld'> &
    ErasureStore;
  readonly clock: Clock;
  /** Sessions were taken over from nodes that are gone. */
  onTakeover(sessions: number): void;
  /** Something went wrong that should not; for the log. */
  onError(error: unknown): void;
  /** Null where there are no traces. */
  readonly tracing?: Tracing | null;
}

/** The sockets and streams of this node. */
export interface ClusterListener {
  seated(row: SessionRow, playerId: string, seat: number, isBot: boolean): void;
  /** Sockets opened later, ms since 1970, are those of somebody who came again under their id. */
  erased(player: Erased, openedBefore: number): void;
  giveWay(place: string, isOlder: (stamp: number) => boolean): void;
  catchUp(): void;
  /** Closes all sockets: their players find their sessions on other nodes. */
  sendAway(): void;
  watched(): ReadonlyMap<string, number>;
  /** Something about a session's rematch has changed on another node. */
  rematch(session: string, refused: ServiceRefusal | null): void;
  /** Another node has changed lists of these worlds. */
  changed?(changes: WorldChanges): void;
}

export interface Cluster {
  readonly host: ClusterHost;
  /** Turns at the lines of the queue. */
  readonly lines: QueueTurns;
  /** What the sockets know of those elsewhere. */
  readonly sockets: { entered(place: string): number; watchers(session: string): number };
  /** Comes to the others; before it nothing is heard. Rejects when the store cannot be asked. */
  join(listener: ClusterListener): Promise<void>;
  /** All nodes are told that a player was erased. */
  notifyErased(player: Erased): void;
  /** All nodes are told that something about a session's rematch has changed. */
  notifyRematch(session: string, refused: ServiceRefusal | null): void;
  /** All nodes are told which lists have changed here. */
  notifyChanged(changes: WorldChanges): void;
  /** To be called about once a second. */
  maintain(): Promise<void>;
  /** Takes no more sessions and gives away those it has. */
  drain(): Promise<void>;
  /** The end: nothing is said or heard any more. */
  leave(): Promise<void>;
}

export function makeCluster(deps: ClusterDeps): Cluster {
  const { node, local, links, members, shared, clock, onError } = deps;
  const others = (): string[] => members.others().map((row) => row.node);
  const outbox = makeOutbox((to, items) => links.send(to, items));
  const state: State = {
    listener: null,
    lastStamp: 0,
    catchUpAt: Infinity,
    stopWatchingBus: () => undefined,
  };
  const onNews = (from: string, said: News): void => takeNews(parts, from, said);
  const news = makeNewsDesk({ outbox, clock, others, onNews });
  const names = makeNames({
    ...{ local, store: shared, clock, onError },
    onUnheard(player, at) {
      dropErased(state, player, at);
      news.tell({ kind: 'erased', ...player, at });
    },
  });
  const here = (): ReadonlyMap<string, number> => state.listener?.watched() ?? new Map();
  const watch = makeWatchCounts({ outbox, others, here });
  const ofSessions = { node, local, members, store: shared, clock, calls: makeCalls(), onError };
  const handover = makeHandover({ ...ofSessions, outbox, onTakeover: deps.onTakeover });
  const router = makeSessionRouter({
    ...ofSessions,
    onSeized: (session) => news.tell({ kind: 'taken', session }),
  });
  const host = makeClusterHost({
    ...{ node, local, router, handover, outbox, members, shared, clock },
    ...{ store: deps.store, games: deps.games, tracing: deps.tracing },
    watchers: (session) => watch.elsewhere(session) + (here().get(session) ?? 0),
  });
  const lines = makeClusterQueueTurns({ node, clock, others, put: outbox.put });
  const parts: Parts = { deps, state, news, names, watch, host, handover, lines };
  listen(parts);
  return {
    host,
    lines,
    sockets: {
      entered(place) {
        state.lastStamp = Math.max(state.lastStamp + 1, clock.now());
        news.tell({ kind: 'entered', place, stamp: state.lastStamp });
        return state.lastStamp;
      },
      watchers: watch.elsewhere,
    },
    join(listener) {
      state.listener = listener;
      return members.join(makeEvents(parts));
    },
    notifyErased(player) {
      names.heard(player);
      news.tell({ kind: 'erased', ...player, at: clock.now() });
    },
    notifyRematch: (session, refused) => news.tell({ kind: 'rematch', session, refused }),
    notifyChanged(changes) {
      if (changes.length > 0) news.tell({ kind: 'changed', changes });
    },
    async maintain() {
      news.maintain();
      watch.maintain();
      if (clock.now() >= state.catchUpAt) catchUp(state, Infinity);
      await names.maintain();
    },
    drain: handover.drain,
    leave: () => leave(parts),
  };
}

interface State {
  listener: ClusterListener | null;
  /** The highest stamp of a socket that was given here or heard of. */
  lastStamp: number;
  /** When the sockets here look once more for what they were not told; ms since 1970. */
  catchUpAt: number;
  stopWatchingBus: Cancel;
}

interface Parts {
  readonly deps: ClusterDeps;
  readonly state: State;
  readonly news: NewsDesk;
  readonly names: Names;
  readonly watch: WatchCounts;
  readonly host: ClusterHost;
  readonly handover: Handover;
  readonly lines: ClusterQueueTurns;
}

function listen({ deps: { links, local, members }, news, names, watch, host, lines }: Parts): void {
  links.onMessage((from, message) => {
    for (const item of message as readonly Item[]) {
      switch (item.t) {
        case 'news':
        case 'heard':
          news.receive(from, item);
          break;
        case 'watched':
          watch.receive(from, item);
          break;
        case 'turn':
        case 'turn_given':
        case 'turn_over':
          lines.receive(from, item);
          break;
        default:
          host.receive(from, item);
      }
    }
  });
  links.onLost((node) => {
    host.linkLost(node);
    news.linkLost(node);
    watch.linkLost(node);
    lines.linkLost(node);
  });
  // A deadline that ran out while the store was silent is charged to nobody.
  local.onLook(() => {
    const silence = members.silence();
    if (silence !== null) local.noteStall(silence.from, silence.to);
  });
  local.onSeated((row, playerId, seat, isBot, askedAt) => {
    news.tell({ kind: 'seated', row, playerId, seat, isBot });
    names.seated(row.id, askedAt);
  });
}

function takeNews({ deps, state, names }: Parts, from: string, news: News): void {
  const { node, local } = deps;
  const { listener } = state;
  switch (news.kind) {
    case 'taken':
      local.release(news.session);
      return;
    case 'seated':
      listener?.seated(news.row, news.playerId, news.seat, news.isBot);
      return;
    case 'erased':
      names.heard(news);
      dropErased(state, news, news.at);
      return;
    case 'rematch':
      listener?.rematch(news.session, news.refused);
      return;
    case 'changed':
      listener?.changed?.(news.changes);
      return;
    case 'entered': {
      const { stamp: theirs } = news;
      state.lastStamp = Math.max(state.lastStamp, theirs);
      listener?.giveWay(news.place, (own) => own < theirs || (own === theirs && node < from));
    }
  }
}

/** Who came within what clocks may be apart is closed, too: their client comes back. */
function dropErased({ listener }: State, { tenant, world, playerId }: Erased, at: number): void {
  listener?.erased({ tenant, world, playerId }, at + CLOCKS_APART_MS);
}

function catchUp(state: State, againAt: number): void {
  state.catchUpAt = againAt;
  state.listener?.catchUp();
}

/** Whatever the store says, nothing is left that would hold the process. */
async function leave({ deps, state, host, handover, lines, names }: Parts): Promise<void> {
  state.stopWatchingBus();
  const forgotten = names.close();
  handover.close();
  host.close();
  lines.close();
  try {
    await deps.members.leave().finally(deps.links.close);
  } finally {
    await forgotten;
  }
}

/**
 * Until this node has a lease again. Without the bus it reaches no other node either, and that may last
 * for longer than a turn: its players are sent to one that serves them.
 */
function watchBus(parts: Parts): void {
  const { deps, state } = parts;
  const { members, links, clock } = deps;
  if (members.lease() !== 'lapsed') return;
  const isCutOff = links.figures().isBusUp === false && members.others().length > 0;
  if (isCutOff) state.listener?.sendAway();
  state.stopWatchingBus = clock.after(BUS_LOOK_MS, () => watchBus(parts));
}

function makeEvents(parts: Parts): MemberEvents {
  const { deps, state, news, watch, handover } = parts;
  return {
    onDead(node) {
      // Every part hears that the link is lost.
      deps.links.drop(node);
      news.dead(node);
      watch.dead(node);
      handover.nodeDied();
      // It may have seated players, and told nobody; so may its last transaction.
      catchUp(state, deps.clock.now() + SETTLED_MS);
    },
    onLapsed() {
      handover.lapsed();
      watchBus(parts);
    },
    onRegained() {
      handover.regained();
      // While this node was taken for dead nobody told it anything.
      state.listener?.catchUp();
    },
  };
}
