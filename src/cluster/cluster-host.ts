/**
 * The matches of all nodes: the interface for the rest of the service. Each call goes one of three ways: to the
 * local host, which has the session in memory; over a subscriber's slot at the session's owner (`edge.ts`); or
 * through the router, which finds the owner or makes it this node.
 */

import type { Games } from '../games/games.ts';
import { separately } from '../runtime/host/answers.ts';
import type { LocalHost, MatchHost } from '../runtime/host/match-host.ts';
import type { PlayerCommand, PlayerSeat } from '../runtime/host/player-work.ts';
import type { MatchView, Subscriber, WorkOutcome } from '../runtime/host/work.ts';
import type { Tracing } from '../runtime/measures/tracing.ts';
import type { Clock } from '../runtime/ports.ts';
import type { MemberStore } from '../store/cluster.ts';
import type { SessionStore } from '../store/store.ts';
import { type Edge, makeEdge, type Slot } from './edge.ts';
import type { Handover } from './handover.ts';
import type { Members } from './membership/members.ts';
import type { ForEdge, ForOwner } from './messages.ts';
import type { Outbox } from './outbox.ts';
import { makeOwner } from './owner.ts';
import { runRemote } from './remote-work.ts';
import { type SessionRouter, toResult } from './session-router.ts';

export interface ClusterHostDeps {
  readonly node: string;
  readonly local: LocalHost;
  readonly router: SessionRouter;
  readonly handover: Pick<Handover, 'maintain' | 'recover'>;
  readonly outbox: Outbox;
  readonly members: Pick<Members, 'isHeld' | 'others'>;
  readonly shared: Pick<MemberStore, 'holderOf'>;
  readonly store: Pick<SessionStore, 'loadSession'>;
  readonly games: Games;
  readonly clock: Clock;
  /** A session's watchers on all nodes, as far as this node knows. */
  watchers(session: string): number;
  /** Null without traces. */
  readonly tracing?: Tracing | null | undefined;
}

export interface ClusterHost extends MatchHost {
  receive(from: string, item: ForOwner | ForEdge): void;
  /** A node is gone, or the link to it broke. */
  linkLost(node: string): void;
  /** The shutdown: no owner is looked for any more. */
  close(): void;
}

/** A player's command waits at most this long for an owner. Ms. */
const PLAY_GIVE_UP_MS = 8_000;
/** A subscriber waits longer to attach: its socket stays open while the store is away. Ms. */
const ATTACH_GIVE_UP_MS = 30_000;

/** The state of the host's functions. */
interface Parts {
  readonly deps: ClusterHostDeps;
  readonly local: LocalHost;
  readonly router: SessionRouter;
  readonly edge: Edge;
  /** Subscribers that are attaching; aborted when they leave first. */
  readonly attaching: Map<Subscriber, AbortController>;
}

export function makeClusterHost(deps: ClusterHostDeps): ClusterHost {
  const { local, router, handover, outbox, clock, members } = deps;
  const owner = makeOwner({ local, outbox, mayServe: router.mayServe });
  const edge = makeEdge({
    outbox,
    clock,
    tracing: deps.tracing,
    resend(slot, commands) {
      for (const command of commands) void play(parts, slot, command);
    },
  });
  const parts: Parts = { deps, local, router, edge, attaching: new Map() };
  return {
    ...local,
    ...makePlayerCalls(parts),
    run(session, work) {
      if (local.has(session)) local.run(session, work);
      else void runRemote({ ...deps, edge }, session, work);
    },
    // A node alone owns what it creates: its players can only come here.
    sleepsUntil: (session) => (members.others().length > 0 ? local.sleepsUntil(session) : null),
    peek: (session) => peek(deps, session),
    maintain: handover.maintain,
    recover: handover.recover,
    receive(from, item) {
      switch (item.t) {
        case 'attached':
        case 'frames':
        case 'whole':
        case 'lost':
        case 'answer':
          edge.receive(from, item);
          break;
        default:
          owner.receive(from, item);
      }
    },
    linkLost(node) {
      owner.linkLost(node);
      edge.linkLost(node);
    },
    close: router.close,
  };
}

/** What subscribers do, and what is done on a player's behalf. */
function makePlayerCalls(parts: Parts) {
  const { deps, local, edge } = parts;
  const { outbox } = deps;
  return {
    play(session, seat, command, origin) {
      const slot = edge.slotOf(origin);
      if (slot !== undefined) edge.play(slot, command);
      else if (local.has(session)) local.play(session, seat, command, origin);
      else void play(parts, { session, subscriber: origin }, command);
    },
    playAs: (session, seat, command) => playAs(parts, session, seat, command),
    attach: (session, subscriber, done) => void attach(parts, session, subscriber).then(done),
    detach(session, subscriber, isPutAway = false) {
      const slot = edge.slotOf(subscriber);
      parts.attaching.get(subscriber)?.abort();
      if (slot === undefined) local.detach(session, subscriber, isPutAway);
      else edge.leave(slot, isPutAway);
    },
    hold(session, seat, from, masks, origin) {
      const slot = origin === undefined ? undefined : edge.slotOf(origin);
      if (slot === undefined) return local.hold(session, seat, from, masks);
      outbox.put(slot.owner, { t: 'hold', p: slot.id, from, masks });
      return null;
    },
    askState(_, subscriber, seen) {
      const slot = edge.slotOf(subscriber);
      if (slot !== undefined) edge.askState(slot, seen);
      return slot !== undefined;
    },
    watchers: (session) => (local.has(session) ? local.watchers(session) : deps.watchers(session)),
    relay(session, makeText) {
      const slot = edge.slotIn(session);
      if (slot === undefined) {
        local.relay(session, makeText);
        return;
      }
      const frame = JSON.parse(makeText(0)) as object;
      outbox.put(slot.owner, { t: 'relay', p: slot.id, frame });
    },
  } satisfies Partial<MatchHost>;
}

/** A read must include every write that was answered before it, on any node. */
async function peek(
  { node, local, members, shared }: ClusterHostDeps,
  session: string,
): Promise<MatchView | null> {
  // Alone and within its lease, a node knows that no other node took the session.
  const isSure = members.isHeld() && members.others().length === 0;
  if (isSure || !local.has(session)) return local.peek(session);
  const holder = await shared.holderOf(session);
  if (holder === node) return local.peek(session);
  if (holder !== null) local.release(session);
  return local.read(session);
}

async function attach(
  { local, router, edge, attaching }: Parts,
  session: string,
  subscriber: Subscriber,
): Promise<WorkOutcome> {
  // A watcher wakes no session.
  const claims = subscriber.viewer !== null;
  const leaving = new AbortController();
  attaching.set(subscriber, leaving);
  const told = await router.route<WorkOutcome>({
    session,
    claims,
    giveUpMs: ATTACH_GIVE_UP_MS,
    signal: leaving.signal,
    here: () => new Promise((resolve) => local.attach(session, subscriber, resolve)),
    there: async (owner) => toResult(await edge.attach(owner, session, subscriber)),
  });
  if (attaching.get(subscriber) === leaving) attaching.delete(subscriber);
  return told;
}

function playAs(
  { local, router, edge }: Parts,
  session: string,
  seat: PlayerSeat,
  command: PlayerCommand,
): Promise<WorkOutcome> {
  return router.route<WorkOutcome>({
    session,
    claims: false,
    giveUpMs: PLAY_GIVE_UP_MS,
    here: () => local.playAs(session, seat, command),
    // Its id makes a repeat harmless (rule P4).
    there: async (owner) =>
      toResult(await edge.ask(owner, session, { kind: 'play', seat, command })),
  });
}

/** A command of a subscriber that has no slot yet, or that lost its slot before the answer came. */
async function play(
  parts: Parts,
  { session, subscriber }: Pick<Slot, 'session' | 'subscriber'>,
  command: PlayerCommand,
): Promise<void> {
  const { viewer, player } = subscriber;
  const told = await playAs(parts, session, { seat: viewer!, player }, command);
  subscriber.send([], separately({ s: session, id: command.id, told }));
}
