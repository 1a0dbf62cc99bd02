/**
 * Each queue is worked on by one node at a time (rule S2), so that newcomers on different nodes meet. Each queue
 * has a coordinating node, chosen by its name. When it does not answer, or nodes disagree for a moment, the turn
 * is not waited for: then two players may wait apart, and nothing worse.
 */

import type { QueueTurn, QueueTurns } from '../runtime/matchmaking/queue.ts';
import type { Cancel, Clock } from '../runtime/ports.ts';
import type { ForQueueTurns } from './messages.ts';

export interface ClusterQueueTurns extends QueueTurns {
  receive(from: string, item: ForQueueTurns): void;
  /** A node is gone, or the link to it broke: it has no turn any more, and coordinates none. */
  linkLost(node: string): void;
  /** The shutdown: no call waits for a turn any more, and no timer is left. */
  close(): void;
}

export interface ClusterQueueTurnsDeps {
  readonly node: string;
  readonly clock: Clock;
  /** The other nodes that live. */
  others(): readonly string[];
  put(node: string, item: ForQueueTurns): void;
}

/** Newcomers later than this after a turn began wait for the node's next one: other nodes go first. */
const JOIN_MS = 100;
/** A turn that is not granted within this time is not waited for. Ms. */
const GIVEN_MS = 1_000;
/** A turn that is not returned within this time is over. Ms. */
const TURN_MS = 3_000;

/** This node's turn at a queue, from its request to its return. */
interface Turn {
  readonly queue: string;
  readonly n: number;
  readonly home: string;
  readonly given: PromiseWithResolvers<void>;
  readonly over: PromiseWithResolvers<void>;
  /** Null until it is granted. */
  givenAt: number | null;
  users: number;
  /** The queue has not been read in it yet. */
  isFresh: boolean;
}

/** A node that requested a turn, with its number there. */
interface Asker {
  readonly node: string;
  readonly n: number;
  /** Stops the timer of its turn; does nothing before it begins. */
  cancel: Cancel;
}

interface Table {
  readonly deps: ClusterQueueTurnsDeps;
  /** This node's own turns, by queue. */
  readonly turns: Map<string, Turn>;
  /** Queues that this node coordinates: the first request has the turn. */
  readonly askers: Map<string, Asker[]>;
  last: number;
  isClosed: boolean;
}

const nothing = (): void => undefined;

export function makeClusterQueueTurns(deps: ClusterQueueTurnsDeps): ClusterQueueTurns {
  const table: Table = { deps, turns: new Map(), askers: new Map(), last: 0, isClosed: false };
  return {
    enter: (queue) => enter(table, queue),
    receive: (from, item) => receive(table, from, item),
    linkLost(node) {
      for (const turn of table.turns.values()) if (turn.home === node) turn.given.resolve();
      for (const queue of [...table.askers.keys()]) {
        for (const asker of [...(table.askers.get(queue) ?? [])]) {
          if (asker.node === node) dismiss(table, queue, asker.node, asker.n);
        }
      }
    },
    close() {
      table.isClosed = true;
      for (const turn of table.turns.values()) turn.given.resolve();
      for (const { cancel } of [...table.askers.values()].flat()) cancel();
      table.askers.clear();
    },
  };
}

async function enter(table: Table, queue: string): Promise<QueueTurn> {
  for (;;) {
    const turn = table.turns.get(queue) ?? ask(table, queue);
    const now = table.deps.clock.now();
    if (turn.givenAt === null || now - turn.givenAt <= JOIN_MS) return join(table, turn);
    await turn.over.promise;
  }
}

async function join(table: Table, turn: Turn): Promise<QueueTurn> {
  turn.users += 1;
  await turn.given.promise;
  turn.givenAt ??= table.deps.clock.now();
  const { isFresh } = turn;
  turn.isFresh = false;
  let isIn = true;
  return {
    isFresh,
    leave() {
      if (!isIn) return;
      isIn = false;
      turn.users -= 1;
      if (turn.users === 0) giveBack(table, turn);
    },
  };
}

function ask(table: Table, queue: string): Turn {
  const { deps, turns } = table;
  table.last += 1;
  const turn: Turn = {
    queue,
    n: table.last,
    home: homeOf(deps, queue),
    users: 0,
    isFresh: true,
    givenAt: null,
    given: Promise.withResolvers<void>(),
    over: Promise.withResolvers<void>(),
  };
  turns.set(queue, turn);
  const cancel = deps.clock.after(table.isClosed ? 0 : GIVEN_MS, turn.given.resolve);
  void turn.given.promise.then(cancel);
  send(table, turn.home, { t: 'turn', line: queue, n: turn.n });
  return turn;
}

function giveBack(table: Table, turn: Turn): void {
  table.turns.delete(turn.queue);
  turn.over.resolve();
  send(table, turn.home, { t: 'turn_over', line: turn.queue, n: turn.n });
}

function send(table: Table, to: string, item: ForQueueTurns): void {
  const { node, put } = table.deps;
  if (to === node) receive(table, node, item);
  else put(to, item);
}

function receive(table: Table, from: string, item: ForQueueTurns): void {
  if (table.isClosed) return;
  switch (item.t) {
    case 'turn': {
      const askers = table.askers.get(item.line) ?? [];
      table.askers.set(item.line, askers);
      askers.push({ node: from, n: item.n, cancel: nothing });
      if (askers.length === 1) give(table, item.line, askers[0]!);
      return;
    }
    case 'turn_over':
      dismiss(table, item.line, from, item.n);
      return;
    case 'turn_given': {
      const turn = table.turns.get(item.line);
      if (turn?.n === item.n && turn.home === from) turn.given.resolve();
    }
  }
}

function give(table: Table, queue: string, asker: Asker): void {
  const { node, n } = asker;
  asker.cancel = table.deps.clock.after(TURN_MS, () => dismiss(table, queue, node, n));
  send(table, node, { t: 'turn_given', line: queue, n });
}

/** Ends a node's turn, or its request for one. */
function dismiss(table: Table, queue: string, node: string, n: number): void {
  const askers = table.askers.get(queue);
  const at = askers?.findIndex((each) => each.node === node && each.n === n) ?? -1;
  if (askers === undefined || at === -1) return;
  askers[at]!.cancel();
  askers.splice(at, 1);
  if (askers.length === 0) table.askers.delete(queue);
  else if (at === 0) give(table, queue, askers[0]!);
}

/** The node with the highest hash for this queue: when a node joins or leaves, few queues move. */
function homeOf({ node, others }: ClusterQueueTurnsDeps, queue: string): string {
  let home = node;
  for (const other of others()) if (isBefore(queue, other, home)) home = other;
  return home;
}

function isBefore(queue: string, a: string, b: string): boolean {
  const [first, second] = [hash(`${a} ${queue}`), hash(`${b} ${queue}`)];
  return first === second ? a < b : first > second;
}

/** FNV-1a, 32 bits, with a final mix: names that differ only at the end are spread as well. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}
