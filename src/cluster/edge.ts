/** The edge to other nodes' sessions: local subscribers of remote sessions, and requests to the owners. */

import type { CommandId } from '../match/record.ts';
import { separately } from '../runtime/host/answers.ts';
import type { PlayerCommand } from '../runtime/host/player-work.ts';
import type { PlacedAnswer, Subscriber } from '../runtime/host/work.ts';
import type { OpenSpan, Tracing } from '../runtime/measures/tracing.ts';
import type { Cancel, Clock } from '../runtime/ports.ts';
import type { Answer, Ask, ForEdge, SlotId } from './messages.ts';
import type { Outbox } from './outbox.ts';

export interface EdgeDeps {
  readonly outbox: Outbox;
  readonly clock: Clock;
  /** A slot is lost with unanswered commands: they are to be sent again, wherever the session is. */
  resend(slot: Slot, commands: readonly PlayerCommand[]): void;
  /** Null where there are no traces. */
  readonly tracing?: Tracing | null | undefined;
}

/** One subscriber's slot in a session that another node owns. */
export interface Slot {
  readonly id: SlotId;
  readonly owner: string;
  readonly session: string;
  readonly subscriber: Subscriber;
  phase: Phase;
  /** Unanswered commands. They are sent once the slot is attached. */
  readonly asked: Map<CommandId, SentCommand>;
}

type Phase =
  /** The owner has not accepted it yet. */
  | 'attaching'
  /** A whole state will follow, which includes all frames before it: only answers are shown. */
  | 'behind'
  | 'live';

interface SentCommand {
  readonly command: PlayerCommand;
  /** The round trip to the owner; null when it is not traced. */
  readonly span: OpenSpan | null;
}

/** `lost`: no answer came, and the request may or may not have been carried out. */
export type Reply = Answer | { readonly kind: 'lost' };

export interface Edge {
  /** Takes a slot at the owner. It gets frames once it has asked for a whole state. */
  attach(owner: string, session: string, subscriber: Subscriber): Promise<Reply>;
  slotOf(subscriber: Subscriber): Slot | undefined;
  /** Any of the slots in a session. */
  slotIn(session: string): Slot | undefined;
  /** `isPutAway`: the service ends it, not the player. */
  leave(slot: Slot, isPutAway: boolean): void;
  play(slot: Slot, command: PlayerCommand): void;
  askState(slot: Slot, seen: number | undefined): void;
  ask(owner: string, session: string, ask: Ask): Promise<Reply>;
  receive(from: string, item: ForEdge): void;
  /** A node died, or the link to it broke: the slots there are lost. */
  linkLost(node: string): void;
}

/** An owner that does not answer within this time is considered lost. Ms. */
const ANSWER_MS = 1_000;
const LOST = { kind: 'lost' } as const;

interface Waiting {
  readonly node: string;
  resolve(reply: Reply): void;
}

/** The state of the edge's functions. */
interface Table {
  readonly deps: EdgeDeps;
  readonly slots: Map<SlotId, Slot>;
  readonly bySubscriber: Map<Subscriber, Slot>;
  readonly bySession: Map<string, Set<Slot>>;
  /** Attaching, by slot; and requests, by number. Both are counted by `last`. */
  readonly waiting: Map<number, Waiting>;
  last: number;
}

export function makeEdge(deps: EdgeDeps): Edge {
  const { outbox } = deps;
  const table: Table = {
    deps,
    slots: new Map(),
    bySubscriber: new Map(),
    bySession: new Map(),
    waiting: new Map(),
    last: 0,
  };
  return {
    attach: (owner, session, subscriber) => attach(table, owner, session, subscriber),
    slotOf: (subscriber) => table.bySubscriber.get(subscriber),
    slotIn: (session) => table.bySession.get(session)?.values().next().value,
    leave(slot, isPutAway) {
      strike(table, slot);
      for (const { span } of slot.asked.values()) span?.end({ isError: true });
      outbox.put(slot.owner, { t: 'detach', p: slot.id, ...(isPutAway && { putAway: true }) });
    },
    play(slot, command) {
      const span = beginHop(deps, slot, command);
      const sent = span === null ? command : { ...command, trace: span.trace };
      // Sent again before its answer: one hop more.
      slot.asked.get(command.id)?.span?.end();
      slot.asked.set(command.id, { command: sent, span });
      if (slot.phase !== 'attaching') send(table, slot, sent);
    },
    askState(slot, seen) {
      // Its subscriber asks for the whole state once it is attached.
      if (slot.phase === 'attaching') return;
      if (seen === undefined) slot.phase = 'behind';
      outbox.put(slot.owner, { t: 'state', p: slot.id, seen: seen ?? null });
    },
    ask(owner, session, ask) {
      table.last += 1;
      const n = table.last;
      outbox.put(owner, { t: 'ask', n, s: session, ask });
      return wait(table, owner, n);
    },
    receive: (from, item) => receive(table, from, item),
    linkLost(node) {
      for (const slot of [...table.slots.values()]) if (slot.owner === node) lose(table, slot);
      for (const [n, asked] of [...table.waiting]) if (asked.node === node) settle(table, n, LOST);
    },
  };
}

/** Null for a command of no trace. */
function beginHop(
  { tracing }: EdgeDeps,
  { owner, session }: Slot,
  { trace }: PlayerCommand,
): OpenSpan | null {
  if (tracing === undefined || tracing === null || trace === undefined) return null;
  const attributes = { 'matchd.session': session, 'matchd.owner': owner };
  return tracing.begin({ name: 'hop', role: 'client', parent: trace, attributes });
}

function wait(table: Table, node: string, n: number): Promise<Reply> {
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const cancel: Cancel = table.deps.clock.after(ANSWER_MS, () => settle(table, n, LOST));
  table.waiting.set(n, {
    node,
    resolve(reply) {
      cancel();
      resolve(reply);
    },
  });
  return promise;
}

/** A refused slot is gone before any other message about it. */
function settle(table: Table, n: number, reply: Reply): void {
  const { waiting, slots } = table;
  const asked = waiting.get(n);
  if (asked === undefined) return;
  waiting.delete(n);
  const slot = slots.get(n);
  if (slot !== undefined && reply.kind === 'done') {
    slot.phase = 'behind';
    for (const { command } of slot.asked.values()) send(table, slot, command);
  } else if (slot !== undefined) strike(table, slot);
  asked.resolve(reply);
}

function send({ deps: { outbox } }: Table, { owner, id }: Slot, command: PlayerCommand): void {
  outbox.put(owner, { t: 'play', p: id, command });
}

async function attach(
  table: Table,
  owner: string,
  session: string,
  subscriber: Subscriber,
): Promise<Reply> {
  const { outbox } = table.deps;
  table.last += 1;
  const id = table.last;
  const slot: Slot = {
    id,
    owner,
    session,
    subscriber,
    phase: 'attaching',
    asked: new Map(),
  };
  enlist(table, slot);
  const { viewer, player, wire = 1 } = subscriber;
  outbox.put(owner, { t: 'attach', s: session, p: id, viewer, player, wire });
  const reply = await wait(table, owner, id);
  if (reply.kind === 'lost') outbox.put(owner, { t: 'detach', p: id, putAway: true });
  if (reply.kind !== 'done') resend(table, slot);
  return reply;
}

function enlist({ slots, bySubscriber, bySession }: Table, slot: Slot): void {
  slots.set(slot.id, slot);
  bySubscriber.set(slot.subscriber, slot);
  const others = bySession.get(slot.session) ?? new Set();
  bySession.set(slot.session, others.add(slot));
}

function strike({ slots, bySubscriber, bySession }: Table, slot: Slot): void {
  slots.delete(slot.id);
  if (bySubscriber.get(slot.subscriber) === slot) bySubscriber.delete(slot.subscriber);
  const others = bySession.get(slot.session);
  if (others?.delete(slot) && others.size === 0) bySession.delete(slot.session);
}

function lose(table: Table, slot: Slot): void {
  // Its subscriber learns of it as the answer to its attach.
  if (slot.phase === 'attaching') {
    settle(table, slot.id, LOST);
    return;
  }
  strike(table, slot);
  slot.subscriber.lost();
  resend(table, slot);
}

function resend({ deps }: Table, slot: Slot): void {
  if (slot.asked.size === 0) return;
  const asked = [...slot.asked.values()];
  for (const { span } of asked) span?.end({ isError: true });
  deps.resend(
    slot,
    asked.map(({ command }) => command),
  );
}

function receive(table: Table, from: string, item: ForEdge): void {
  const find = (id: SlotId): Slot | null => {
    const slot = table.slots.get(id);
    return slot?.owner === from ? slot : null;
  };
  switch (item.t) {
    case 'attached':
      if (find(item.p) !== null) settle(table, item.p, item.answer);
      return;
    case 'answer':
      if (table.waiting.get(item.n)?.node === from) settle(table, item.n, item.answer);
      return;
    case 'whole': {
      const slot = find(item.p);
      if (slot === null) return;
      slot.phase = 'live';
      if (item.texts.length > 0) slot.subscriber.send(item.texts);
      return;
    }
    case 'lost':
    case 'frames':
      for (const slot of item.p.map(find)) {
        if (slot === null) continue;
        if (item.t === 'lost') lose(table, slot);
        else show(slot, item.texts, answerFor(item, slot));
      }
  }
}

function answerFor(
  { answered }: Extract<ForEdge, { t: 'frames' }>,
  { id }: Slot,
): PlacedAnswer | undefined {
  return answered?.p === id ? answered : undefined;
}

/** Without a receiver the answer is dropped. */
function show(slot: Slot, texts: readonly string[], answer: PlacedAnswer | undefined): void {
  const { subscriber, asked, phase } = slot;
  const id = answer?.id ?? null;
  if (id !== null) {
    asked.get(id)?.span?.end();
    asked.delete(id);
  }
  if (phase === 'live') subscriber.send(texts, answer);
  else if (answer !== undefined) subscriber.send([], separately(answer));
}
