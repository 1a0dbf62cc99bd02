/** What a bot's program is shown in lines of text: every session in which the bot sits (rule B3). */

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
  /** All that it shows. */
  readonly sessions: readonly string[];
  /** The whole state of every session; those that other nodes hold come first in what follows. */
  readonly states: readonly { readonly session: string; readonly text: string }[];
  /** What has come since it was last asked; null once the stream is over. */
  next(): readonly string[] | null;
  /** Calls `wake` once, when there is more. */
  wait(wake: () => void): Cancel;
  close(): void;
}

export interface BotStreams {
  open(world: BotWorld): Promise<BotStream>;
  /** A bot has got a seat: its open streams show the session from now on. */
  seated(row: SessionRow, playerId: string, seat: number): void;
  /** Seats may have been given without a word to this node: the open streams look for them. */
  catchUp(): void;
  /** Ends all streams, and those that are opened later. */
  drain(): void;
}

export interface BotStreamDeps {
  readonly host: Pick<MatchHost, 'attach' | 'detach' | 'stateFor' | 'askState' | 'peek'>;
  readonly store: Pick<SessionStore, 'listOpenSessionsOf'>;
  readonly clock: Clock;
  /** Something went wrong that should not; for the log. */
  onError(error: unknown): void;
}

/** Sessions that are read and attached together. */
const LOADED_AT_ONCE = 32;
/** States made in one go; a state may take milliseconds to make, and others have their turn in between. */
const STATES_AT_ONCE = 16;
/** What waits for a slow reader, in characters; past this it gets whole states instead. */
const BACKLOG_CHARS_MAX = 512 * 1_024;
/** What cannot be shown now is retried after so long, and twice as long each time up to the second. */
const AGAIN_MS = 1_000;
const AGAIN_MS_MAX = 30_000;
/** Matches whose end a reader has not taken, and which therefore stay in memory: of more their stream ends. */
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
  /** Those who were shown sessions whose end is among the texts: they leave once it is taken. */
  readonly ended: Map<string, Subscriber>;
  /** Sessions whose end its reader has not taken yet, left out or not: they stay in memory until then. */
  readonly unread: Set<string>;
  /** Texts were left out: whole states make up for them. */
  isBehind: boolean;
  /** Sessions whose whole state is still to be made, in that order; what else comes of them is in it. */
  readonly owed: Set<string>;
  /** States were made, and others have their turn before the next. */
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
      // Known before its sessions are listed: none falls between the list and the news.
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
        const sessions = [...stream.owed];
        const states = await makeAllOwed(deps, stream);
        return {
          ...{ sessions, states },
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
  const isNew = { isBehind: false, isResting: false, owed: new Set<string>(), wake: null };
  const waiting = {
    texts: [],
    chars: 0,
    ended: new Map<string, Subscriber>(),
    unread: new Set<string>(),
  };
  return { world, places: new Map(), ...waiting, isOver, ...isNew };
}

function listSessions({ store }: BotStreamDeps, { world }: OpenStream): Promise<readonly string[]> {
  return store.listOpenSessionsOf(world.tenant, world.mode, world.playerId);
}

async function attachAll(deps: BotStreamDeps, stream: OpenStream): Promise<void> {
  const ids = await listSessions(deps, stream);
  for (let at = 0; at < ids.length; at += LOADED_AT_ONCE) {
    const page = ids.slice(at, at + LOADED_AT_ONCE);
    await Promise.all(page.map((id) => attachListed(deps, stream, id, AGAIN_MS)));
  }
}

async function showMissed(deps: BotStreamDeps, stream: OpenStream): Promise<void> {
  const ids = await listSessions(deps, stream);
  const missed = ids.filter((id) => !stream.places.has(id));
  for (let at = 0; at < missed.length; at += STATES_AT_ONCE) {
    if (at > 0) await turn(deps);
    const page = missed.slice(at, at + STATES_AT_ONCE);
    await Promise.all(page.map((id) => showListed(deps, stream, id, AGAIN_MS)));
  }
}

/** Resolves when everybody else has had a turn. */
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
 * Only where it sits as a bot that its program plays: a player, or a bot of the service, may have the
 * same name (rule E4). One session that cannot be read does not cost a bot all its others.
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
  againMs = AGAIN_MS,
): void {
  attach(deps, stream, session, seat, againMs)
    .then(() => pushState(deps, stream, session))
    .catch(deps.onError);
}

function pushState(deps: BotStreamDeps, stream: OpenStream, session: string): void {
  const place = stream.places.get(session);
  stream.owed.delete(session);
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
        // Its program cannot know that there is more to see, and nobody else would show it.
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
      if (!stream.owed.has(session)) push(stream, session, subscriber, texts);
    },
    lost() {
      stream.places.delete(session);
      stream.owed.delete(session);
      stream.unread.delete(session);
      show(deps, stream, session, seat);
    },
  };
  return subscriber;
}

/**
 * A stream can stay for months: what is over leaves it when its reader has the end. Not before, as the
 * text may yet be left out; and not while it is being said to others.
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

/** Bots are always ready for a rematch: what players say of one is no news to them (P13). */
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
  // Whoever reads so little begins again, with what is still open.
  if (stream.unread.size > UNREAD_MAX) stream.isOver = true;
  if (stream.chars > BACKLOG_CHARS_MAX) {
    dropTexts(stream);
    stream.isBehind = true;
  }
  if (stream.isOver || !stream.isResting) stream.wake?.();
}

/** Ends among them are told by the states that make up for all of it: their sessions are still shown. */
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
  const states = makeOwed(deps, stream).map(({ text }) => text);
  if (stream.owed.size > 0) rest(deps, stream);
  return [...texts, ...states];
}

/** The reader gets whole states, which say all that has come so far. */
function oweAll(stream: OpenStream): void {
  dropTexts(stream);
  stream.isBehind = false;
  for (const session of stream.places.keys()) stream.owed.add(session);
}

/** The next of the states that are owed. */
function makeOwed(deps: BotStreamDeps, stream: OpenStream): BotStream['states'] {
  return [...stream.owed].slice(0, STATES_AT_ONCE).flatMap((session) => {
    stream.owed.delete(session);
    const place = stream.places.get(session);
    if (place === undefined) return [];
    const texts = stateOf(deps, session, place);
    if (texts.some(isEnd)) leave(deps, stream, session, place.subscriber);
    return texts.map((text) => ({ session, text }));
  });
}

async function makeAllOwed(deps: BotStreamDeps, stream: OpenStream): Promise<BotStream['states']> {
  const states = [...makeOwed(deps, stream)];
  while (stream.owed.size > 0) {
    await turn(deps);
    states.push(...makeOwed(deps, stream));
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

/** None of a session that another node holds: its state comes like all that it shows. */
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

function hasMore({ texts, isBehind, owed }: OpenStream): boolean {
  return texts.length > 0 || isBehind || owed.size > 0;
}

function end(deps: BotStreamDeps, stream: OpenStream): void {
  stream.isOver = true;
  for (const [session, { subscriber }] of stream.places) deps.host.detach(session, subscriber);
  stream.places.clear();
  stream.owed.clear();
}
