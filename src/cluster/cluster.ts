/** One node of a cluster: wires its parts, and dispatches messages of other nodes. */

import type { Games } from '../games/games.ts';
import type { WorldChanges } from '../runtime/events/changes.ts';
import type { Erased } from '../runtime/host/host-deps.ts';
import type { LocalHost } from '../runtime/host/match-host.ts';
import { makeCalls } from '../runtime/limits/calls.ts';
import type { QueueTurns } from '../runtime/matchmaking/queue.ts';
import type { Tracing } from '../runtime/measures/tracing.ts';
import type { Cancel, Clock } from '../runtime/ports.ts';
import type { ServiceRefusal } from '../runtime/sessions/session-service.ts';
import type { ErasureStore, MemberStore } from '../store/cluster.ts';
import type { SessionRow, SessionStore } from '../store/store.ts';
import type { ClusterHost } from './cluster-host.ts';
import { makeClusterHost } from './cluster-host.ts';
import { type Handover, makeHandover, SETTLED_MS } from './handover.ts';
import type { Links } from './links/links.ts';
import type { MemberEvents, Members } from './membership/members.ts';
import { makeNames, type Names } from './membership/names.ts';
import type { Item, News } from './messages.ts';
import { makeNewsDesk, type NewsDesk } from './news.ts';
import { makeOutbox } from './outbox.ts';
import { type ClusterQueueTurns, makeClusterQueueTurns } from './queue-turns.ts';
import { makeSessionRouter } from './session-router.ts';
import { makeWatchCounts, type WatchCounts } from './watch-counts.ts';

/** While a draining node hands over its matches its sockets stay open, for at most this long. Ms. */
export const GIVEN_FIRST_MS = 250;
/** The greatest assumed difference between the clocks of two nodes. Ms. */
const CLOCKS_APART_MS = 2_000;
/** How often a node without a lease checks whether it still has the bus. Ms. */
const BUS_LOOK_MS = 500;

export interface ClusterDeps {
  readonly node: string;
  readonly local: LocalHost;
  readonly links: Links;
  readonly members: Omit<Members, 'suspect'>;
  readonly store: Pick<SessionStore, 'loadSession'>;
  readonly games: Games;
  /** What the nodes share besides the bus. */
  readonly shared: Pick<MemberStore, 'holderOf' | 'claim' | 'listToRelease' | 'listHeld'> &
    ErasureStore;
  readonly clock: Clock;
  /** Sessions were taken over from dead nodes. */
  onTakeover(sessions: number): void;
  /** An unexpected error; for the log. */
  onError(error: unknown): void;
  /** Null where there are no traces. */
  readonly tracing?: Tracing | null;
}

/** The sockets and streams of this node. */
export interface ClusterListener {
  seated(row: SessionRow, playerId: string, seat: number, isBot: boolean): void;
  /** Sockets opened later, ms since 1970, belong to a new player with the same id. */
  erased(player: Erased, openedBefore: number): void;
  giveWay(place: string, isOlder: (stamp: number) => boolean): void;
  catchUp(): void;
  /** Closes all sockets: their players find their sessions on other nodes. */
  sendAway(): void;
  watched(): ReadonlyMap<string, number>;
  /** A session's rematch has changed on another node. */
  rematch(session: string, refused: ServiceRefusal | null): void;
  /** Another node reports changed lists of these worlds. */
  changed?(changes: WorldChanges): void;
}

export interface Cluster {
  readonly host: ClusterHost;
  readonly queueTurns: QueueTurns;
  /** What this node knows of sockets on other nodes. */
  readonly sockets: { entered(place: string): number; watchers(session: string): number };
  /** Joins the other nodes; before that nothing is received. Rejects when the store cannot be asked. */
  join(listener: ClusterListener): Promise<void>;
  /** Tells all nodes that a player was erased. */
  notifyErased(player: Erased): void;
  /** Tells all nodes that a session's rematch has changed. */
  notifyRematch(session: string, refused: ServiceRefusal | null): void;
  /** Tells all nodes which lists have changed here. */
  notifyChanged(changes: WorldChanges): void;
  /** To be called about once a second. */
  maintain(): Promise<void>;
  /** Takes no more sessions and hands over those it has. */
  drain(): Promise<void>;
  /** The shutdown: nothing is sent or received any more. */
  leave(): Promise<void>;
}

export function makeCluster(deps: ClusterDeps): Cluster {
  const { members, clock } = deps;
  const state: State = {
    listener: null,
    lastStamp: 0,
    catchUpAt: Infinity,
    stopWatchingBus: () => undefined,
  };
  const parts = makeParts(deps, state);
  const { host, news, names, watch, handover, queueTurns } = parts;
  listen(parts);
  return {
    host,
    queueTurns,
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
  /** The highest stamp of a socket that was given or received here. */
  lastStamp: number;
  /** When the sockets here check again for missed messages; ms since 1970. */
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
  readonly queueTurns: ClusterQueueTurns;
}

function makeParts(deps: ClusterDeps, state: State): Parts {
  const { node, local, links, members, shared, clock, onError } = deps;
  const others = (): string[] => members.others().map((row) => row.node);
  const outbox = makeOutbox((to, items) => links.send(to, items));
  const news = makeNewsDesk({
    outbox,
    clock,
    others,
    onNews: (from, said) => takeNews(parts, from, said),
  });
  const names = makeNames({
    local,
    store: shared,
    clock,
    onError,
    onUnheard(player, at) {
      dropErased(state, player, at);
      news.tell({ kind: 'erased', ...player, at });
    },
  });
  const here = (): ReadonlyMap<string, number> => state.listener?.watched() ?? new Map();
  const watch = makeWatchCounts({ outbox, others, here });
  // A claim and a takeover count together: a drain waits for both.
  const ofSessions = { node, local, members, store: shared, clock, calls: makeCalls(), onError };
  const handover = makeHandover({ ...ofSessions, outbox, onTakeover: deps.onTakeover });
  const router = makeSessionRouter({
    ...ofSessions,
    onSeized: (session) => news.tell({ kind: 'taken', session }),
  });
  const host = makeClusterHost({
    node,
    local,
    router,
    handover,
    outbox,
    members,
    shared,
    clock,
    store: deps.store,
    games: deps.games,
    tracing: deps.tracing,
    watchers: (session) => watch.elsewhere(session) + (here().get(session) ?? 0),
  });
  const queueTurns = makeClusterQueueTurns({ node, clock, others, put: outbox.put });
  const parts: Parts = { deps, state, news, names, watch, host, handover, queueTurns };
  return parts;
}

function listen({
  deps: { links, local, members },
  news,
  names,
  watch,
  host,
  queueTurns,
}: Parts): void {
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
          queueTurns.receive(from, item);
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
    queueTurns.linkLost(node);
  });
  // A deadline that expired while the store was silent is charged to nobody.
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

/** Sockets opened within the clocks' difference are closed, too: their clients reconnect. */
function dropErased({ listener }: State, { tenant, world, playerId }: Erased, at: number): void {
  listener?.erased({ tenant, world, playerId }, at + CLOCKS_APART_MS);
}

function catchUp(state: State, againAt: number): void {
  state.catchUpAt = againAt;
  state.listener?.catchUp();
}

/** Whatever the store answers, nothing is left that would keep the process alive. */
async function leave({ deps, state, host, handover, queueTurns, names }: Parts): Promise<void> {
  state.stopWatchingBus();
  const forgotten = names.close();
  handover.close();
  host.close();
  queueTurns.close();
  try {
    await deps.members.leave().finally(deps.links.close);
  } finally {
    await forgotten;
  }
}

/**
 * Until this node has a lease again. Without the bus it cannot reach other nodes either, and that may last longer
 * than a turn: its players are sent to a node that serves them.
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
      // It may have seated players without notifying anybody; so may its last transaction.
      catchUp(state, deps.clock.now() + SETTLED_MS);
    },
    onLapsed() {
      handover.lapsed();
      watchBus(parts);
    },
    onRegained() {
      handover.regained();
      // While this node was taken for dead no node sent it anything.
      state.listener?.catchUp();
    },
  };
}
