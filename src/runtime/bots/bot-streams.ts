/** The lines of text that a bot's program gets: every session in which the bot sits (rule B3). */

import type { RejectCode } from '../../match/decide.ts';
import type { Mode } from '../../match/record.ts';
import type { SessionRow, SessionStore } from '../../store/store.ts';
import type { MatchHost } from '../host/match-host.ts';
import type { Subscriber } from '../host/work.ts';
import type { Cancel, Clock } from '../ports.ts';

/** Whose sessions: those of one bot in one mode. */
export interface BotWorld {
  readonly tenant: string;
  readonly mode: Mode;
  readonly playerId: string;
}

export interface BotStream {
  /** Everything that the stream shows. */
  readonly sessions: readonly string[];
  /** The whole state of every session; sessions on other nodes come first among the updates. */
  readonly states: readonly { readonly session: string; readonly text: string }[];
  /** Updates since the last call; null once the stream has ended. */
  next(): readonly string[] | null;
  /** Calls `wake` once, when there are more. */
  wait(wake: () => void): Cancel;
  close(): void;
}

export interface BotStreams {
  open(world: BotWorld): Promise<BotStream>;
  /** A bot got a seat: its open streams show the session from now on. */
  seated(row: SessionRow, playerId: string, seat: number): void;
  /** This node may have missed new seats: the open streams look for them. */
  catchUp(): void;
  /** Ends all streams, and those that are opened later. */
  drain(): void;
}

export interface BotStreamDeps {
  readonly host: Pick<MatchHost, 'attach' | 'detach' | 'stateFor' | 'askState' | 'peek'>;
  readonly store: Pick<SessionStore, 'listOpenSessionsOf'>;
  readonly clock: Clock;
  /** An unexpected error; for the log. */
  onError(error: unknown): void;
}

/** Sessions that are read and attached together. */
const LOADED_AT_ONCE = 32;
/** States made in one go. Making one may take milliseconds, so other work runs in between. */
const STATES_AT_ONCE = 16;
/** Backlog of a slow reader, in characters. Above this the reader gets whole states instead. */
const BACKLOG_CHARS_MAX = 512 * 1_024;
/** Delay before a session that cannot be shown is retried; doubles up to the second value. */
const RETRY_MS = 1_000;
const AGAIN_MS_MAX = 30_000;
/** Ended matches that a reader has not read, and which stay in memory. Above this its stream ends. */
const UNREAD_MAX = 256;
/** Refusals that say nothing about the session. */
const PASSING: readonly RejectCode[] = ['unavailable', 'busy'];

interface Place {
  readonly seat: number;
  readonly subscriber: Subscriber;
}

interface OpenStream {
  readonly world: BotWorld;
  readonly places: Map<string, Place>;
  texts: string[];
  chars: number;
  /** Subscribers of ended sessions among the texts: they leave once the reader has the text. */
  readonly ended: Map<string, Subscriber>;
  /** Ended sessions whose end the reader has not read, sent or not: they stay in memory until then. */
  readonly unread: Set<string>;
  /** Texts were dropped: whole states replace them. */
  isBehind: boolean;
  /** Sessions whose whole state is still to be made, in that order. It includes their other updates. */
  readonly pendingStates: Set<string>;
  /** States were made, and other work runs before the next. */
  isResting: boolean;
  isOver: boolean;
  wake: (() => void) | null;
}

export function makeBotStreams(deps: BotStreamDeps): BotStreams {
  const open = new Map<string, Set<OpenStream>>();
  let isDraining = false;
  return {
    async open(world) {
      const stream = makeStream(world, isDraining);
      // Registered before its sessions are listed, so that none is missed between the list and the updates.
      const name = nameOf(world);
      const here = open.get(name) ?? new Set();
      open.set(name, here.add(stream));
      const close = (): void => {
        here.delete(stream);
        if (here.size === 0 && open.get(name) === here) open.delete(name);
        end(deps, stream);
      };
      try {
        await attachAll(deps, stream);
        oweAll(stream);
        const sessions = [...stream.pendingStates];
        const states = await makeAllPendingStates(deps, stream);
        return {
          sessions,
          states,
          next: () => (stream.isOver ? null : nextTexts(deps, stream)),
          wait: (wake) => wait(stream, wake),
          close,
        };
      } catch (error) {
        close();
        throw error;
      }
    },
    seated({ id, tenant, mode }, playerId, seat) {
      for (const stream of open.get(nameOf({ tenant, mode, playerId })) ?? []) {
        show(deps, stream, id, seat);
      }
    },
    catchUp() {
      for (const stream of [...open.values()].flatMap((each) => [...each])) {
        showMissed(deps, stream).catch(deps.onError);
      }
    },
    drain() {
      isDraining = true;
      for (const stream of [...open.values()].flatMap((each) => [...each])) {
        stream.isOver = true;
        stream.wake?.();
      }
    },
  };
}

function nameOf({ tenant, mode, playerId }: BotWorld): string {
  return JSON.stringify([tenant, mode, playerId]);
}

function makeStream(world: BotWorld, isOver: boolean): OpenStream {
  return {
    world,
    places: new Map(),
    texts: [],
    chars: 0,
    ended: new Map(),
    unread: new Set(),
    isBehind: false,
    pendingStates: new Set(),
    isResting: false,
    isOver,
    wake: null,
  };
}

function listSessions({ store }: BotStreamDeps, { world }: OpenStream): Promise<readonly string[]> {
  return store.listOpenSessionsOf(world.tenant, world.mode, world.playerId);
}

async function attachAll(deps: BotStreamDeps, stream: OpenStream): Promise<void> {
  const ids = await listSessions(deps, stream);
  for (let at = 0; at < ids.length; at += LOADED_AT_ONCE) {
    const page = ids.slice(at, at + LOADED_AT_ONCE);
    await Promise.all(page.map((id) => attachListed(deps, stream, id, RETRY_MS)));
  }
}

async function showMissed(deps: BotStreamDeps, stream: OpenStream): Promise<void> {
  const ids = await listSessions(deps, stream);
  const missed = ids.filter((id) => !stream.places.has(id));
  for (let at = 0; at < missed.length; at += STATES_AT_ONCE) {
    if (at > 0) await turn(deps);
    const page = missed.slice(at, at + STATES_AT_ONCE);
    await Promise.all(page.map((id) => showListed(deps, stream, id, RETRY_MS)));
  }
}

/** Resolves after other waiting work has run. */
function turn({ clock }: BotStreamDeps): Promise<void> {
  return new Promise((resolve) => void clock.after(0, resolve));
}

async function showListed(
  deps: BotStreamDeps,
  stream: OpenStream,
  id: string,
  againMs: number,
): Promise<void> {
  if (stream.places.has(id)) return;
  await attachListed(deps, stream, id, againMs);
  pushState(deps, stream, id);
}

/**
 * Only sessions where it sits as a program's bot: a player, or a bot of the service, may have the same name (rule
 * E4). One unreadable session does not cost a bot all the others.
 */
async function attachListed(
  deps: BotStreamDeps,
  stream: OpenStream,
  id: string,
  againMs: number,
): Promise<void> {
  try {
    const view = await deps.host.peek(id);
    const seat = view?.roster.findIndex((player) => player?.id === stream.world.playerId) ?? -1;
    const held = view?.session.seats[seat];
    const isPrograms = held?.isBot === true && held.level === null;
    if (isPrograms) await attach(deps, stream, id, seat, againMs);
  } catch (error) {
    deps.onError(error);
    later(deps, stream, againMs, (ms) => void showListed(deps, stream, id, ms));
  }
}

/** Shows a stream one more session, with its whole state. */
function show(
  deps: BotStreamDeps,
  stream: OpenStream,
  session: string,
  seat: number,
  againMs = RETRY_MS,
): void {
  attach(deps, stream, session, seat, againMs)
    .then(() => pushState(deps, stream, session))
    .catch(deps.onError);
}

function pushState(deps: BotStreamDeps, stream: OpenStream, session: string): void {
  const place = stream.places.get(session);
  stream.pendingStates.delete(session);
  if (place === undefined) return;
  push(stream, session, place.subscriber, stateOf(deps, session, place));
}

function attach(
  deps: BotStreamDeps,
  stream: OpenStream,
  session: string,
  seat: number,
  againMs: number,
): Promise<void> {
  if (stream.places.has(session) || stream.isOver) return Promise.resolve();
  const subscriber = makeSubscriber(deps, stream, session, seat);
  stream.places.set(session, { seat, subscriber });
  return new Promise((resolve) => {
    deps.host.attach(session, subscriber, (told) => {
      if (stream.isOver) deps.host.detach(session, subscriber);
      else if (told.kind !== 'done') {
        stream.places.delete(session);
        // The program cannot know that there is more, and nothing else would show it.
        const isPassing = told.kind === 'rejected' && PASSING.includes(told.code);
        const again = (ms: number): void => show(deps, stream, session, seat, ms);
        if (isPassing) later(deps, stream, againMs, again);
      }
      resolve();
    });
  });
}

function later(
  { clock }: BotStreamDeps,
  stream: OpenStream,
  ms: number,
  again: (nextMs: number) => void,
): void {
  clock.after(ms, () => {
    if (!stream.isOver) again(Math.min(2 * ms, AGAIN_MS_MAX));
  });
}

function makeSubscriber(
  deps: BotStreamDeps,
  stream: OpenStream,
  session: string,
  seat: number,
): Subscriber {
  const subscriber: Subscriber = {
    viewer: seat,
    player: stream.world.playerId,
    send(texts) {
      if (!stream.pendingStates.has(session)) push(stream, session, subscriber, texts);
    },
    lost() {
      stream.places.delete(session);
      stream.pendingStates.delete(session);
      stream.unread.delete(session);
      show(deps, stream, session, seat);
    },
  };
  return subscriber;
}

/**
 * A stream can last for months, so ended sessions leave it once the reader has their end. Not earlier, as the text
 * may be dropped; and not while it is being sent to others.
 */
function leave(
  { host, clock }: BotStreamDeps,
  { places, unread }: OpenStream,
  session: string,
  subscriber: Subscriber,
): void {
  unread.delete(session);
  clock.after(0, () => {
    if (places.get(session)?.subscriber === subscriber) places.delete(session);
    host.detach(session, subscriber);
  });
}

/** Bots are always ready for a rematch, so players' answers to one are not shown (P13). */
const isOfRematch = (text: string): boolean => text.startsWith('{"t":"rematch"');

function isEnd(text: string): boolean {
  if (!text.startsWith('{"t":"state"')) return text.startsWith('{"t":"over"');
  return (JSON.parse(text) as { readonly status: string }).status === 'ended';
}

function push(
  stream: OpenStream,
  session: string,
  subscriber: Subscriber,
  texts: readonly string[],
): void {
  for (const text of texts) {
    if (isOfRematch(text)) continue;
    stream.texts.push(text);
    stream.chars += text.length;
    if (!isEnd(text)) continue;
    stream.ended.set(session, subscriber);
    stream.unread.add(session);
  }
  // A reader this slow starts again, with the sessions that are still open.
  if (stream.unread.size > UNREAD_MAX) stream.isOver = true;
  if (stream.chars > BACKLOG_CHARS_MAX) {
    dropTexts(stream);
    stream.isBehind = true;
  }
  if (stream.isOver || !stream.isResting) stream.wake?.();
}

/** The whole states will include the ends among these texts: their sessions are still shown. */
function dropTexts(stream: OpenStream): void {
  stream.texts = [];
  stream.chars = 0;
  stream.ended.clear();
}

function takeTexts(deps: BotStreamDeps, stream: OpenStream): readonly string[] {
  const { texts } = stream;
  for (const [session, subscriber] of stream.ended) leave(deps, stream, session, subscriber);
  dropTexts(stream);
  return texts;
}

function nextTexts(deps: BotStreamDeps, stream: OpenStream): readonly string[] {
  if (stream.isResting) return [];
  if (stream.isBehind) oweAll(stream);
  const texts = takeTexts(deps, stream);
  const states = makePendingStates(deps, stream).map(({ text }) => text);
  if (stream.pendingStates.size > 0) rest(deps, stream);
  return [...texts, ...states];
}

/** The reader gets whole states, which include everything so far. */
function oweAll(stream: OpenStream): void {
  dropTexts(stream);
  stream.isBehind = false;
  for (const session of stream.places.keys()) stream.pendingStates.add(session);
}

/** Makes the next pending state. */
function makePendingStates(deps: BotStreamDeps, stream: OpenStream): BotStream['states'] {
  return [...stream.pendingStates].slice(0, STATES_AT_ONCE).flatMap((session) => {
    stream.pendingStates.delete(session);
    const place = stream.places.get(session);
    if (place === undefined) return [];
    const texts = stateOf(deps, session, place);
    if (texts.some(isEnd)) leave(deps, stream, session, place.subscriber);
    return texts.map((text) => ({ session, text }));
  });
}

async function makeAllPendingStates(
  deps: BotStreamDeps,
  stream: OpenStream,
): Promise<BotStream['states']> {
  const states = [...makePendingStates(deps, stream)];
  while (stream.pendingStates.size > 0) {
    await turn(deps);
    states.push(...makePendingStates(deps, stream));
  }
  return states;
}

function rest({ clock }: BotStreamDeps, stream: OpenStream): void {
  stream.isResting = true;
  clock.after(0, () => {
    stream.isResting = false;
    stream.wake?.();
  });
}

/** Not for a session on another node: its state arrives like its updates. */
function stateOf(
  { host }: BotStreamDeps,
  session: string,
  { seat, subscriber }: Place,
): readonly string[] {
  return host.askState(session, subscriber) ? [] : host.stateFor(session, seat);
}

function wait(stream: OpenStream, wake: () => void): Cancel {
  const once = (): void => {
    if (stream.wake === once) stream.wake = null;
    wake();
  };
  stream.wake = once;
  if (stream.isOver || (!stream.isResting && hasMore(stream))) once();
  return () => {
    if (stream.wake === once) stream.wake = null;
  };
}

function hasMore({ texts, isBehind, pendingStates }: OpenStream): boolean {
  return texts.length > 0 || isBehind || pendingStates.size > 0;
}

function end(deps: BotStreamDeps, stream: OpenStream): void {
  stream.isOver = true;
  for (const [session, { subscriber }] of stream.places) deps.host.detach(session, subscriber);
  stream.places.clear();
  stream.pendingStates.clear();
}
