/** What a bot's program is shown in lines of text: every session in which the bot sits (rule B3). */

import type { Mode } from '../../match/record.ts';
import type { SessionRow, SessionStore } from '../../store/store.ts';
import type { MatchHost } from '../match-host.ts';
import type { Cancel, Clock } from '../ports.ts';
import type { Subscriber } from '../work.ts';

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

/** What waits for a slow reader, in characters; past this it gets whole states instead. */
const BACKLOG_CHARS_MAX = 512 * 1_024;

interface Place {
  readonly seat: number;
  readonly subscriber: Subscriber;
}

interface OpenStream {
  readonly places: Map<string, Place>;
  texts: string[];
  chars: number;
  /** Texts were left out: whole states make up for them. */
  isBehind: boolean;
  isOver: boolean;
  wake: (() => void) | null;
}

export function makeBotStreams(deps: BotStreamDeps): BotStreams {
  const open = new Map<string, Set<OpenStream>>();
  let isDraining = false;
  return {
    async open(world) {
      const stream = makeStream(isDraining);
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
        const ids = await deps.store.listOpenSessionsOf(world.tenant, world.mode, world.playerId);
        await Promise.all(ids.map((id) => attachListed(deps, stream, world, id)));
      } catch (error) {
        close();
        throw error;
      }
      // The states say all that has come meanwhile.
      takeTexts(stream);
      return {
        sessions: [...stream.places.keys()],
        states: statesOf(deps, stream),
        next: () => (stream.isOver ? null : nextTexts(deps, stream)),
        wait: (wake) => wait(stream, wake),
        close,
      };
    },
    seated({ id, tenant, mode }, playerId, seat) {
      for (const stream of open.get(nameOf({ tenant, mode, playerId })) ?? []) {
        show(deps, stream, id, seat);
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

function makeStream(isOver: boolean): OpenStream {
  return { places: new Map(), texts: [], chars: 0, isBehind: false, isOver, wake: null };
}

/**
 * Only where it sits as a bot: a player may have the same name (rule E4). One session that cannot
 * be read does not cost a bot all its others.
 */
async function attachListed(
  deps: BotStreamDeps,
  stream: OpenStream,
  { playerId }: BotWorld,
  id: string,
): Promise<void> {
  try {
    const view = await deps.host.peek(id);
    const seat = view?.roster.findIndex((player) => player?.id === playerId) ?? -1;
    if (view?.session.seats[seat]?.isBot === true) await attach(deps, stream, id, seat);
  } catch (error) {
    deps.onError(error);
  }
}

/** Shows a stream one more session, with its whole state. */
function show(deps: BotStreamDeps, stream: OpenStream, session: string, seat: number): void {
  attach(deps, stream, session, seat)
    .then(() => {
      const place = stream.places.get(session);
      if (place !== undefined) push(stream, ...stateOf(deps, session, place));
    })
    .catch(deps.onError);
}

function attach(
  deps: BotStreamDeps,
  stream: OpenStream,
  session: string,
  seat: number,
): Promise<void> {
  if (stream.places.has(session) || stream.isOver) return Promise.resolve();
  const subscriber = makeSubscriber(deps, stream, session, seat);
  stream.places.set(session, { seat, subscriber });
  return new Promise((resolve) => {
    deps.host.attach(session, subscriber, ({ kind }) => {
      if (stream.isOver) deps.host.detach(session, subscriber);
      else if (kind !== 'done') stream.places.delete(session);
      resolve();
    });
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
    send(texts) {
      push(stream, ...texts);
      if (!texts.some((text) => text.startsWith('{"t":"over"'))) return;
      // A stream can stay for months: what is over leaves it, once this has been said to all.
      deps.clock.after(0, () => {
        stream.places.delete(session);
        deps.host.detach(session, subscriber);
      });
    },
    lost() {
      stream.places.delete(session);
      show(deps, stream, session, seat);
    },
  };
  return subscriber;
}

function push(stream: OpenStream, ...texts: string[]): void {
  for (const text of texts) {
    stream.texts.push(text);
    stream.chars += text.length;
  }
  if (stream.chars > BACKLOG_CHARS_MAX) {
    takeTexts(stream);
    stream.isBehind = true;
  }
  stream.wake?.();
}

function takeTexts(stream: OpenStream): readonly string[] {
  const { texts } = stream;
  stream.texts = [];
  stream.chars = 0;
  return texts;
}

function nextTexts(deps: BotStreamDeps, stream: OpenStream): readonly string[] {
  const texts = takeTexts(stream);
  if (!stream.isBehind) return texts;
  stream.isBehind = false;
  return statesOf(deps, stream).map(({ text }) => text);
}

function statesOf(deps: BotStreamDeps, { places }: OpenStream): BotStream['states'] {
  return [...places].flatMap(([session, place]) =>
    stateOf(deps, session, place).map((text) => ({ session, text })),
  );
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
  if (stream.texts.length > 0 || stream.isBehind || stream.isOver) once();
  return () => {
    if (stream.wake === once) stream.wake = null;
  };
}

function end(deps: BotStreamDeps, stream: OpenStream): void {
  stream.isOver = true;
  for (const [session, { subscriber }] of stream.places) deps.host.detach(session, subscriber);
  stream.places.clear();
}
