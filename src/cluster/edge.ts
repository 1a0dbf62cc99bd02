/** The edge to other nodes' sessions: local subscribers of remote sessions, and requests to the owners. */

import type { CommandId } from '../match/record.ts';
import { separately } from '../runtime/host/answers.ts';
import type { PlayerCommand } from '../runtime/host/player-work.ts';
import type { PlacedAnswer, Subscriber } from '../runtime/host/work.ts';
import type { OpenSpan, Tracing } from '../runtime/measures/tracing.ts';
import type { Cancel, Clock } from '../runtime/ports.ts';
import type { Answer, Ask, ForEdge, PlaceId } from './messages.ts';
import type { Outbox } from './outbox.ts';

export interface EdgeDeps {
  readonly outbox: Outbox;
  readonly clock: Clock;
  /** A slot is lost with unanswered commands: they are to be sent again, wherever the session is. */
  resend(place: Place, commands: readonly PlayerCommand[]): void;
  /** Null where there are no traces. */
  readonly tracing?: Tracing | null | undefined;
}

/** One subscriber's slot in a session that another node owns. */
export interface Place {
  readonly id: PlaceId;
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
  placeOf(subscriber: Subscriber): Place | undefined;
  /** Any of the slots in a session. */
  placeIn(session: string): Place | undefined;
  /** `isPutAway`: the service ends it, not the player. */
  leave(place: Place, isPutAway: boolean): void;
  play(place: Place, command: PlayerCommand): void;
  askState(place: Place, seen: number | undefined): void;
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
  readonly places: Map<PlaceId, Place>;
  readonly bySubscriber: Map<Subscriber, Place>;
  readonly bySession: Map<string, Set<Place>>;
  /** Attaching, by slot; and requests, by number. Both are counted by `last`. */
  readonly waiting: Map<number, Waiting>;
  last: number;
}

export function makeEdge(deps: EdgeDeps): Edge {
  const { outbox } = deps;
  const table: Table = {
    deps,
    places: new Map(),
    bySubscriber: new Map(),
    bySession: new Map(),
    waiting: new Map(),
    last: 0,
  };
  return {
    attach: (owner, session, subscriber) => attach(table, owner, session, subscriber),
    placeOf: (subscriber) => table.bySubscriber.get(subscriber),
    placeIn: (session) => table.bySession.get(session)?.values().next().value,
    leave(place, isPutAway) {
      strike(table, place);
      for (const { span } of place.asked.values()) span?.end({ isError: true });
      outbox.put(place.owner, { t: 'detach', p: place.id, ...(isPutAway && { putAway: true }) });
    },
    play(place, command) {
      const span = beginHop(deps, place, command);
      const sent = span === null ? command : { ...command, trace: span.trace };
      // Sent again before its answer: one hop more.
      place.asked.get(command.id)?.span?.end();
      place.asked.set(command.id, { command: sent, span });
      if (place.phase !== 'attaching') send(table, place, sent);
    },
    askState(place, seen) {
      // Its subscriber asks for the whole state once it is attached.
      if (place.phase === 'attaching') return;
      if (seen === undefined) place.phase = 'behind';
      outbox.put(place.owner, { t: 'state', p: place.id, seen: seen ?? null });
    },
    ask(owner, session, ask) {
      table.last += 1;
      const n = table.last;
      outbox.put(owner, { t: 'ask', n, s: session, ask });
      return wait(table, owner, n);
    },
    receive: (from, item) => receive(table, from, item),
    linkLost(node) {
      for (const place of [...table.places.values()]) if (place.owner === node) lose(table, place);
      for (const [n, asked] of [...table.waiting]) if (asked.node === node) settle(table, n, LOST);
    },
  };
}

/** Null for a command of no trace. */
function beginHop(
  { tracing }: EdgeDeps,
  { owner, session }: Place,
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
  const { waiting, places } = table;
  const asked = waiting.get(n);
  if (asked === undefined) return;
  waiting.delete(n);
  const place = places.get(n);
  if (place !== undefined && reply.kind === 'done') {
    place.phase = 'behind';
    for (const { command } of place.asked.values()) send(table, place, command);
  } else if (place !== undefined) strike(table, place);
  asked.resolve(reply);
}

function send({ deps: { outbox } }: Table, { owner, id }: Place, command: PlayerCommand): void {
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
  const place: Place = {
    id,
    owner,
    session,
    subscriber,
    phase: 'attaching',
    asked: new Map(),
  };
  enlist(table, place);
  const { viewer, player, wire = 1 } = subscriber;
  outbox.put(owner, { t: 'attach', s: session, p: id, viewer, player, wire });
  const reply = await wait(table, owner, id);
  if (reply.kind === 'lost') outbox.put(owner, { t: 'detach', p: id, putAway: true });
  if (reply.kind !== 'done') resend(table, place);
  return reply;
}

function enlist({ places, bySubscriber, bySession }: Table, place: Place): void {
  places.set(place.id, place);
  bySubscriber.set(place.subscriber, place);
  const others = bySession.get(place.session) ?? new Set();
  bySession.set(place.session, others.add(place));
}

function strike({ places, bySubscriber, bySession }: Table, place: Place): void {
  places.delete(place.id);
  if (bySubscriber.get(place.subscriber) === place) bySubscriber.delete(place.subscriber);
  const others = bySession.get(place.session);
  if (others?.delete(place) && others.size === 0) bySession.delete(place.session);
}

function lose(table: Table, place: Place): void {
  // Its subscriber learns of it as the answer to its attach.
  if (place.phase === 'attaching') {
    settle(table, place.id, LOST);
    return;
  }
  strike(table, place);
  place.subscriber.lost();
  resend(table, place);
}

function resend({ deps }: Table, place: Place): void {
  if (place.asked.size === 0) return;
  const asked = [...place.asked.values()];
  for (const { span } of asked) span?.end({ isError: true });
  deps.resend(
    place,
    asked.map(({ command }) => command),
  );
}

function receive(table: Table, from: string, item: ForEdge): void {
  const find = (id: PlaceId): Place | null => {
    const place = table.places.get(id);
    return place?.owner === from ? place : null;
  };
  switch (item.t) {
    case 'attached':
      if (find(item.p) !== null) settle(table, item.p, item.answer);
      return;
    case 'answer':
      if (table.waiting.get(item.n)?.node === from) settle(table, item.n, item.answer);
      return;
    case 'whole': {
      const place = find(item.p);
      if (place === null) return;
      place.phase = 'live';
      if (item.texts.length > 0) place.subscriber.send(item.texts);
      return;
    }
    case 'lost':
    case 'frames':
      for (const place of item.p.map(find)) {
        if (place === null) continue;
        if (item.t === 'lost') lose(table, place);
        else show(place, item.texts, answerFor(item, place));
      }
  }
}

function answerFor(
  { answered }: Extract<ForEdge, { t: 'frames' }>,
  { id }: Place,
): PlacedAnswer | undefined {
  return answered?.p === id ? answered : undefined;
}

/** Without a receiver the answer is dropped. */
function show(place: Place, texts: readonly string[], answer: PlacedAnswer | undefined): void {
  const { subscriber, asked, phase } = place;
  const id = answer?.id ?? null;
  if (id !== null) {
    asked.get(id)?.span?.end();
    asked.delete(id);
  }
  if (phase === 'live') subscriber.send(texts, answer);
  else if (answer !== undefined) subscriber.send([], separately(answer));
}
