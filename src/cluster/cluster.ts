/** One node among others: its host, what it hears of theirs, and what it does when they come and go. */

import type { LocalHost } from '../runtime/match-host.ts';
import type { Erased } from '../runtime/match-table.ts';
import type { Cancel, Clock } from '../runtime/ports.ts';
import type { LineTurns } from '../runtime/queue.ts';
import type { Tracing } from '../runtime/tracing.ts';
import type { ErasureStore } from '../store/cluster.ts';
import type { SessionRow, SessionStore } from '../store/store.ts';
import type { ClusterHost } from './cluster-host.ts';
import { makeClusterHost } from './cluster-host.ts';
import { type LineDesk, makeLineDesk } from './line-turns.ts';
import type { Links } from './links.ts';
import type { MemberEvents, Members } from './members.ts';
import type { Item, News } from './messages.ts';
import { makeNames, type Names } from './names.ts';
import { makeNewsDesk, type NewsDesk } from './news.ts';
import { makeOutbox, type Outbox } from './outbox.ts';
import type { Peers } from './peers.ts';
import { makeWatchCounts, type WatchCounts } from './watch-counts.ts';

/**
 * When the store was away from all nodes, all have lost their leases, and all are about to have them
 * again: who is first leaves the others' sessions alone for so long. Ms.
 */
const ALL_BACK_MS = 2_000;
/** While a node that drains gives its matches away its sockets stay open, for at most so long. Ms. */
export const GIVEN_FIRST_MS = 250;
/** So far the clocks of two nodes may be apart when they say what came first. Ms. */
const CLOCKS_APART_MS = 2_000;

export interface ClusterDeps {
  readonly node: string;
  readonly local: LocalHost;
  readonly peers: Peers;
  readonly links: Links;
  readonly members: Pick<Members, 'join' | 'others' | 'isHeld' | 'tellSilent' | 'drain' | 'leave'>;
  readonly store: Pick<SessionStore, 'loadSession'>;
  readonly erasures: ErasureStore;
  readonly clock: Clock;
  /** Sessions were taken over from nodes that are gone. */
  onTakeOver(sessions: number): void;
  /** Something went wrong that should not; for the log. */
  onError(error: unknown): void;
  /** Null where there are no traces. */
  readonly tracing?: Tracing | null;
}

/** The sockets and streams of this node. */
export interface ClusterListener {
  seated(row: SessionRow, playerId: string, seat: number, isBot: boolean): void;
  /** Sockets opened later, ms since 1970, are those of somebody who came anew under his id. */
  erased(player: Erased, openedBefore: number): void;
  giveWay(place: string, isOlder: (stamp: number) => boolean): void;
  catchUp(): void;
  watched(): ReadonlyMap<string, number>;
}

export interface Cluster {
  readonly host: ClusterHost;
  /** Turns at the lines of the queue. */
  readonly lines: LineTurns;
  /** What the sockets know of those elsewhere. */
  readonly sockets: { entered(place: string): number; watchers(session: string): number };
  /** Comes to the others; before it nothing is heard. Rejects when the store cannot be asked. */
  join(listener: ClusterListener): Promise<void>;
  /** All nodes are told that a player was erased. */
  tellErased(player: Erased): void;
  /** To be called about once a second. */
  tend(): Promise<void>;
  /** Takes no more sessions and gives away those it has. */
  drain(): Promise<void>;
  /** The end: nothing is said or heard any more. */
  leave(): Promise<void>;
}

export function makeCluster(deps: ClusterDeps): Cluster {
  const { local, links, members, clock } = deps;
  const others = (): string[] => members.others().map((row) => row.node);
  const outbox = makeOutbox((to, items) => links.send(to, items));
  const state = makeState(clock.now());
  const onNews = (from: string, said: News): void => takeNews(parts, from, said);
  const news = makeNewsDesk({ outbox, clock, others, onNews });
  const names = makeNames({
    ...{ local, store: deps.erasures, clock, onError: deps.onError },
    onUnheard(player, at) {
      dropErased(state, player, at);
      news.tell({ kind: 'erased', ...player, at });
    },
  });
  const here = (): ReadonlyMap<string, number> => state.listener?.watched() ?? new Map();
  const watch = makeWatchCounts({ outbox, others, here });
  const host = makeClusterHost({
    ...{ local, outbox, peers: deps.peers, store: deps.store, clock },
    isHeld: members.isHeld,
    isJustBack: () => clock.now() < state.allBackAt,
    hasOthers: () => others().length > 0,
    onTaken: (session) => news.tell({ kind: 'taken', session }),
    watchers: (session) => watch.elsewhere(session) + (here().get(session) ?? 0),
    onError: deps.onError,
    tracing: deps.tracing,
  });
  const { put } = outbox;
  const lines = makeLineDesk({ node: deps.node, clock, others, put });
  const parts: Parts = { deps, state, outbox, news, names, watch, host, lines };
  listen(parts);
  // The next heartbeat may be too late: a record that is made before it charges what was not told.
  local.onLook(members.tellSilent);
  local.onSeated((row, playerId, seat, isBot, askedAt) => {
    news.tell({ kind: 'seated', row, playerId, seat, isBot });
    names.seated(row.id, askedAt);
  });
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
    tellErased(player) {
      names.heard(player);
      news.tell({ kind: 'erased', ...player, at: clock.now() });
    },
    async tend() {
      news.tend();
      watch.tend();
      if (clock.now() >= state.recoverAt) takeOver(parts);
      if (clock.now() >= state.catchUpAt) catchUp(state, Infinity);
      await names.tend();
    },
    drain: () => drain(parts),
    leave: () => leave(parts),
  };
}

interface State {
  listener: ClusterListener | null;
  /** The highest stamp of a socket that was given here or heard of. */
  lastStamp: number;
  /** It has had its lease again for so long by then that whoever lives has, too; ms since 1970. */
  allBackAt: number;
  /** When it looks again for sessions of dead nodes; and what ends a wait before it does. */
  recoverAt: number;
  cancelTakeOver: Cancel;
  /** When the sockets here look once more for what they were not told; ms since 1970. */
  catchUpAt: number;
  /** It takes over nothing any more. */
  isLeaving: boolean;
}

/** `now`: ms since 1970. */
function makeState(now: number): State {
  return {
    listener: null,
    lastStamp: 0,
    isLeaving: false,
    allBackAt: -Infinity,
    recoverAt: now + RECOVER_MS,
    cancelTakeOver: () => undefined,
    catchUpAt: Infinity,
  };
}

/** Pause before sessions of a dead node are asked for again. Milliseconds. */
const TAKE_OVER_AGAIN_MS = 1_000;
/**
 * What a dead node held can be locked by its last transaction when it is asked for, and is passed over:
 * all is asked for again so long after a death, and ever again after so long. Ms.
 */
const RECOVER_SOON_MS = 10_000;
const RECOVER_MS = 60_000;

interface Parts {
  readonly deps: ClusterDeps;
  readonly state: State;
  readonly outbox: Outbox;
  readonly news: NewsDesk;
  readonly names: Names;
  readonly watch: WatchCounts;
  readonly host: ClusterHost;
  readonly lines: LineDesk;
}

function listen({ deps: { links }, news, watch, host, lines }: Parts): void {
  links.onMessage((from, message) => {
    for (const item of message as readonly Item[]) {
      switch (item.t) {
        case 'news':
        case 'heard':
          news.take(from, item);
          break;
        case 'watched':
          watch.take(from, item);
          break;
        case 'turn':
        case 'turn_given':
        case 'turn_over':
          lines.take(from, item);
          break;
        default:
          host.take(from, item);
      }
    }
  });
  links.onLost((node) => {
    host.lost(node);
    news.lost(node);
    watch.lost(node);
    lines.lost(node);
  });
}

function takeNews({ deps, state, names }: Parts, from: string, news: News): void {
  const { node, local } = deps;
  const { listener } = state;
  switch (news.kind) {
    case 'taken':
      local.letGo(news.session);
      return;
    case 'seated':
      listener?.seated(news.row, news.playerId, news.seat, news.isBot);
      return;
    case 'erased':
      names.heard(news);
      dropErased(state, news, news.at);
      return;
    case 'entered': {
      const { stamp: theirs } = news;
      state.lastStamp = Math.max(state.lastStamp, theirs);
      listener?.giveWay(news.place, (own) => own < theirs || (own === theirs && node < from));
    }
  }
}

/** Who came within what clocks may be apart is closed, too: his client comes back. */
function dropErased({ listener }: State, { tenant, world, playerId }: Erased, at: number): void {
  listener?.erased({ tenant, world, playerId }, at + CLOCKS_APART_MS);
}

/** Takes over what dead nodes held, once this node's being just back is over. */
function takeOver(parts: Parts): void {
  const { state, deps } = parts;
  const now = deps.clock.now();
  state.recoverAt = now + RECOVER_MS;
  const waitMs = state.allBackAt - now;
  if (waitMs <= 0) takeOverNow(parts);
  else takeOverIn(parts, waitMs);
}

function takeOverIn(parts: Parts, ms: number): void {
  const { state, deps } = parts;
  state.cancelTakeOver();
  state.cancelTakeOver = deps.clock.after(ms, () => takeOverNow(parts));
}

function catchUp(state: State, againAt: number): void {
  state.catchUpAt = againAt;
  state.listener?.catchUp();
}

/** What the store cannot list now is asked for again: nobody else may take it over. */
function takeOverNow(parts: Parts): void {
  const { deps, state, host } = parts;
  if (state.isLeaving) return;
  host.recover().then(
    (count) => count > 0 && deps.onTakeOver(count),
    (error: unknown) => {
      deps.onError(error);
      if (!state.isLeaving) takeOverIn(parts, TAKE_OVER_AGAIN_MS);
    },
  );
}

async function drain({ deps, state, host, outbox }: Parts): Promise<void> {
  state.isLeaving = true;
  host.retire();
  // Its matches go to others whether or not its own row says so by then.
  const said = deps.members.drain().catch(deps.onError);
  await deps.local.drain();
  outbox.flush();
  // And what came to it while that went on.
  await host.settle();
  await deps.local.drain();
  outbox.flush();
  await said;
}

/** Whatever the store says, nothing is left that would hold the process. */
async function leave({ deps, state, host, lines, names }: Parts): Promise<void> {
  state.isLeaving = true;
  state.cancelTakeOver();
  const forgotten = names.close();
  host.close();
  lines.close();
  try {
    await deps.members.leave().finally(deps.links.close);
  } finally {
    await forgotten;
  }
}

function makeEvents(parts: Parts): MemberEvents {
  const { deps, state, news, watch, host, lines } = parts;
  const { clock } = deps;
  return {
    onDead(row) {
      deps.peers.noteDead(row);
      news.dead(row.node);
      watch.dead(row.node);
      deps.links.drop(row.node);
      host.lost(row.node);
      lines.lost(row.node);
      takeOver(parts);
      state.recoverAt = clock.now() + RECOVER_SOON_MS;
      // It may have seated players, and told nobody; so may its last transaction.
      catchUp(state, clock.now() + RECOVER_SOON_MS);
    },
    onAlive: deps.peers.noteAlive,
    onLapsed() {
      deps.local.letGo(null);
    },
    onHeld() {
      const now = clock.now();
      state.allBackAt = now + ALL_BACK_MS;
      takeOver(parts);
      // While this node was taken for dead nobody told it anything.
      state.listener?.catchUp();
    },
    onSilent: deps.local.stoodStill,
  };
}
