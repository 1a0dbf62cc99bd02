/** A player's connection to a match server: keeps itself up, loses no command, knows each session. */

import type {
  ClientFrame,
  CommandFrame,
  DrawStep,
  Emote,
  PongFrame,
  RejectFrame,
  ServerFrame,
  WelcomeFrame,
} from './protocol.ts';
import { parseServerFrame, parseTime, SUBPROTOCOL, TOKEN_PROTOCOL_PREFIX } from './protocol.ts';
import type { RetryCause } from './retry.ts';
import { judgeClose, retryWaitMs } from './retry.ts';
import type { ServerClock } from './server-clock.ts';
import { makeServerClock } from './server-clock.ts';
import type { SessionView } from './session-view.ts';
import { takeFrame, takeWarning } from './session-view.ts';

export type ConnectionStatus =
  | { readonly kind: 'connecting'; readonly attempt: number }
  | { readonly kind: 'open' }
  /** `retryAt` is on our own clock, in ms since 1970. */
  | {
      readonly kind: 'waiting';
      readonly cause: RetryCause;
      readonly attempt: number;
      readonly retryAt: number;
    }
  /** The same player has opened the session elsewhere. Only `reconnect` brings it back. */
  | { readonly kind: 'replaced' }
  /** Nothing will come of trying again. `wasOpen`: it had been up before. */
  | { readonly kind: 'failed'; readonly reason: FailReason; readonly wasOpen: boolean }
  | { readonly kind: 'closed' };
export type FailReason = 'no_credential' | 'token_refused' | 'origin_refused' | 'protocol';

export type ConnectionEvent =
  | { readonly kind: 'status'; readonly status: ConnectionStatus }
  /** Keep it: it opens sockets after the token has expired. */
  | { readonly kind: 'credential'; readonly resumeToken: string }
  | { readonly kind: 'session'; readonly session: SessionView; readonly cause: ServerFrame }
  /** A command was taken, or refused with a code. */
  | { readonly kind: 'acked'; readonly command: CommandFrame; readonly v: number }
  | { readonly kind: 'rejected'; readonly command: CommandFrame | null; readonly code: string }
  | { readonly kind: 'emote'; readonly s: string; readonly seat: number; readonly emote: Emote };

/** The part of a WebSocket that is used. */
export interface Socket {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number }) => void) | null;
  send(text: string): void;
  close(): void;
}

/** The world outside. */
export interface ConnectionPorts {
  open(url: string, protocols: string[]): Socket;
  /** Our own time, ms since 1970. */
  now(): number;
  /** Calls once after so many milliseconds; the answer calls it off. */
  after(ms: number, run: () => void): () => void;
  /** 0 to 1. */
  random(): number;
  makeId(): string;
}

export interface ConnectionOptions {
  /** `wss://…/v1/socket` */
  readonly url: string;
  /** Tokens to open with, the best first; the next is tried when one is refused. */
  readonly credentials: readonly string[];
  readonly ports: ConnectionPorts;
  onEvent(event: ConnectionEvent): void;
}

export interface Connection {
  readonly status: ConnectionStatus;
  readonly sessions: ReadonlyMap<string, SessionView>;
  /** Commands that are neither acknowledged nor refused yet, oldest first. */
  readonly sending: readonly CommandFrame[];
  readonly roundTripMs: number | null;
  /** The server's time as far as it is known, ms since 1970. */
  serverNow(): number;
  /** Commands are kept and sent again until they are answered. The answer is the command's id. */
  act(session: string, action: unknown): string;
  resign(session: string): string;
  draw(session: string, step: DrawStep): string;
  /** Not kept: false when it could not be sent now. */
  emote(session: string, emote: Emote): boolean;
  /** The network or the page is back: tries at once, or makes sure that the socket still lives. */
  wake(): void;
  /** Takes a replaced connection back. */
  reconnect(): void;
  close(): void;
}

/** `welcome` has so long to come. Milliseconds. */
const WELCOME_WAIT_MS = 10_000;
/** A ping has so long to be answered. */
const PONG_WAIT_MS = 8_000;
/** The same when there is reason to believe that the network was gone. */
const WAKE_WAIT_MS = 3_000;
/** Up for so long, it counts as well: the next wait is a short one again. */
const STEADY_MS = 5_000;
/** A command that the server could not take for a moment is sent again after this. */
const RESEND_WAIT_MS = 1_000;
/** So many unreadable frames in a row are no accident. */
const BAD_FRAMES_MAX = 3;
/** A missing frame is asked for at most so often. */
const SYNC_EVERY_MS = 2_000;
/** What a subprotocol may consist of; others make the browser throw. */
const SENDABLE = /^[\w.~+-]+$/;

/** Refusals that say nothing about the command itself. */
const PASSING = new Set(['unavailable', 'busy', 'too_fast']);

/** All that a connection's functions work on. */
interface Link {
  readonly options: ConnectionOptions;
  readonly clock: ServerClock;
  readonly sessions: Map<string, SessionView>;
  readonly outbox: Map<string, CommandFrame>;
  readonly pings: Map<number, number>;
  /** Sessions whose whole state has come on this socket. */
  readonly shown: Set<string>;
  /** When a missing frame was last asked for, by session. */
  readonly syncedAt: Map<string, number>;
  status: ConnectionStatus;
  credentials: readonly string[];
  socket: Socket | null;
  /** Attempts since it was last up for a while. */
  attempt: number;
  badFrames: number;
  openedAt: number | null;
  wasOpen: boolean;
  pingMs: number;
  pingCount: number;
  cancelTimer: () => void;
  cancelPing: () => void;
}

export function makeConnection(options: ConnectionOptions): Connection {
  const link: Link = {
    options,
    clock: makeServerClock(),
    sessions: new Map(),
    outbox: new Map(),
    pings: new Map(),
    shown: new Set(),
    syncedAt: new Map(),
    status: { kind: 'connecting', attempt: 0 },
    credentials: options.credentials.filter((each) => SENDABLE.test(each)),
    socket: null,
    attempt: 0,
    badFrames: 0,
    openedAt: null,
    wasOpen: false,
    pingMs: 0,
    pingCount: 0,
    cancelTimer: () => {},
    cancelPing: () => {},
  };
  connect(link);
  return makeHandle(link);
}

function makeHandle(link: Link): Connection {
  const { ports } = link.options;
  return {
    get status() {
      return link.status;
    },
    sessions: link.sessions,
    get sending() {
      return [...link.outbox.values()];
    },
    get roundTripMs() {
      return link.clock.roundTripMs;
    },
    serverNow: () => ports.now() + link.clock.offsetMs,
    act: (s, action) => command(link, { t: 'act', s, id: ports.makeId(), action }),
    resign: (s) => command(link, { t: 'resign', s, id: ports.makeId() }),
    draw: (s, step) => command(link, { t: 'draw', s, id: ports.makeId(), do: step }),
    emote: (s, emote) => transmit(link, { t: 'emote', s, emote }),
    wake: () => wake(link),
    reconnect() {
      if (link.status.kind !== 'replaced') return;
      link.attempt = 0;
      connect(link);
    },
    close() {
      drop(link);
      setStatus(link, { kind: 'closed' });
    },
  };
}

function setStatus(link: Link, status: ConnectionStatus): void {
  link.status = status;
  link.options.onEvent({ kind: 'status', status });
}

function fail(link: Link, reason: FailReason): void {
  drop(link);
  setStatus(link, { kind: 'failed', reason, wasOpen: link.wasOpen });
}

function connect(link: Link): void {
  const { ports, url, credentials } = link.options;
  drop(link);
  const credential = link.credentials[0];
  if (credential === undefined) {
    fail(link, credentials.length === 0 ? 'no_credential' : 'token_refused');
    return;
  }
  const socket = ports.open(url, [SUBPROTOCOL, `${TOKEN_PROTOCOL_PREFIX}${credential}`]);
  link.socket = socket;
  socket.onmessage = ({ data }) => {
    if (link.socket === socket && typeof data === 'string') receive(link, data);
  };
  socket.onclose = ({ code }) => {
    if (link.socket === socket) lose(link, code);
  };
  link.cancelTimer = ports.after(WELCOME_WAIT_MS, () => lose(link, 1006));
  setStatus(link, { kind: 'connecting', attempt: link.attempt });
}

/** Forgets the socket and everything that was timed by it. */
function drop(link: Link): void {
  link.cancelTimer();
  link.cancelPing();
  link.pings.clear();
  link.shown.clear();
  link.syncedAt.clear();
  const { socket } = link;
  link.socket = null;
  link.openedAt = null;
  if (socket === null) return;
  socket.onmessage = null;
  socket.onclose = null;
  socket.close();
}

/** The socket is gone, or as good as gone. */
function lose(link: Link, code: number): void {
  const { openedAt } = link;
  if (openedAt !== null && link.options.ports.now() - openedAt > STEADY_MS) link.attempt = 0;
  drop(link);
  const verdict = judgeClose(code);
  switch (verdict.kind) {
    case 'retry':
      retry(link, verdict.cause);
      return;
    case 'next_credential':
      link.credentials = link.credentials.slice(1);
      connect(link);
      return;
    case 'replaced':
      setStatus(link, { kind: 'replaced' });
      return;
    case 'origin_refused':
      fail(link, 'origin_refused');
      return;
    case 'bad_frame':
      giveUpCommands(link);
      link.badFrames += 1;
      if (link.badFrames >= BAD_FRAMES_MAX) fail(link, 'protocol');
      else retry(link, 'lost');
      return;
  }
}

function retry(link: Link, cause: RetryCause): void {
  const { ports } = link.options;
  const { attempt } = link;
  const waitMs = retryWaitMs(cause, attempt, ports.random());
  link.attempt += 1;
  link.cancelTimer = ports.after(waitMs, () => connect(link));
  setStatus(link, { kind: 'waiting', cause, attempt, retryAt: ports.now() + waitMs });
}

function wake(link: Link): void {
  if (link.status.kind === 'waiting' && link.status.cause !== 'too_fast') connect(link);
  else if (link.status.kind === 'open') ping(link, WAKE_WAIT_MS);
}

function receive(link: Link, text: string): void {
  const frame = parseServerFrame(text);
  if (frame === null) return;
  switch (frame.t) {
    case 'welcome':
      welcome(link, frame);
      return;
    case 'state':
    case 'update':
    case 'presence':
    case 'over':
    case 'warning':
      show(link, frame);
      return;
    case 'ack':
      acknowledge(link, frame.id, frame.v);
      return;
    case 'reject':
      refuse(link, frame);
      return;
    case 'emote':
      link.options.onEvent({ kind: 'emote', s: frame.s, seat: frame.seat, emote: frame.emote });
      return;
    case 'pong':
      pong(link, frame);
      return;
  }
}

function welcome(link: Link, frame: WelcomeFrame): void {
  link.cancelTimer();
  link.cancelTimer = () => {};
  link.openedAt = link.options.ports.now();
  link.wasOpen = true;
  link.badFrames = 0;
  link.pingMs = frame.pingMs;
  keepCredential(link, frame.resumeToken);
  setStatus(link, { kind: 'open' });
  ping(link, PONG_WAIT_MS);
}

/** The newest token first; what opened the first socket stays as the second choice. */
function keepCredential(link: Link, resumeToken: string): void {
  const others = link.options.credentials.filter((each) => each !== resumeToken);
  link.credentials = [resumeToken, ...others].filter((each) => SENDABLE.test(each));
  link.options.onEvent({ kind: 'credential', resumeToken });
}

type SessionFrame = Extract<
  ServerFrame,
  { t: 'state' | 'update' | 'presence' | 'over' | 'warning' }
>;

function show(link: Link, frame: SessionFrame): void {
  const before = link.sessions.get(frame.s) ?? null;
  if (frame.t === 'warning') {
    if (before !== null) keep(link, takeWarning(before, frame), frame);
    return;
  }
  const { view, gap } = takeFrame(before, frame);
  if (gap) sync(link, frame.s);
  if (view !== null && view !== before) keep(link, view, frame);
  // The first state on a new socket: whatever may have been lost on the old one goes again.
  if (frame.t === 'state' && !link.shown.has(frame.s)) {
    link.shown.add(frame.s);
    for (const each of link.outbox.values()) if (each.s === frame.s) transmit(link, each);
  }
}

function keep(link: Link, session: SessionView, cause: ServerFrame): void {
  link.sessions.set(session.s, session);
  link.options.onEvent({ kind: 'session', session, cause });
}

function sync(link: Link, s: string): void {
  const now = link.options.ports.now();
  if (now - (link.syncedAt.get(s) ?? Number.NEGATIVE_INFINITY) < SYNC_EVERY_MS) return;
  link.syncedAt.set(s, now);
  transmit(link, { t: 'sync', s });
}

function command(link: Link, frame: CommandFrame): string {
  link.outbox.set(frame.id, frame);
  // Before the session's state is here the socket does not know it either.
  if (link.shown.has(frame.s)) transmit(link, frame);
  return frame.id;
}

function acknowledge(link: Link, id: string, v: number): void {
  const acked = link.outbox.get(id);
  if (acked === undefined) return;
  link.outbox.delete(id);
  link.options.onEvent({ kind: 'acked', command: acked, v });
}

function refuse(link: Link, { id, code }: RejectFrame): void {
  const refused = id === null ? null : (link.outbox.get(id) ?? null);
  if (refused !== null && PASSING.has(code)) {
    const { socket } = link;
    link.options.ports.after(RESEND_WAIT_MS, () => {
      if (link.socket === socket && link.outbox.has(refused.id)) transmit(link, refused);
    });
    return;
  }
  if (refused !== null) link.outbox.delete(refused.id);
  link.options.onEvent({ kind: 'rejected', command: refused, code });
}

/** Nothing that waits can be sent: each is as good as refused. */
function giveUpCommands(link: Link): void {
  const given = [...link.outbox.values()];
  link.outbox.clear();
  for (const each of given) {
    link.options.onEvent({ kind: 'rejected', command: each, code: 'bad_action' });
  }
}

function ping(link: Link, waitMs: number): void {
  const { ports } = link.options;
  link.cancelPing();
  link.pingCount += 1;
  link.pings.set(link.pingCount, ports.now());
  transmit(link, { t: 'ping', n: link.pingCount });
  link.cancelPing = ports.after(waitMs, () => lose(link, 1006));
}

function pong(link: Link, frame: PongFrame): void {
  const { ports } = link.options;
  const sentAt = link.pings.get(frame.n);
  if (sentAt === undefined) return;
  link.pings.delete(frame.n);
  const serverNow = parseTime(frame.now);
  if (serverNow !== null) link.clock.take(sentAt, ports.now(), serverNow);
  if (frame.resumeToken !== undefined) keepCredential(link, frame.resumeToken);
  if (frame.n !== link.pingCount) return;
  link.cancelPing();
  link.cancelPing = ports.after(link.pingMs, () => ping(link, PONG_WAIT_MS));
}

/** Sends a frame on an open socket; false when there is none. */
function transmit(link: Link, frame: ClientFrame): boolean {
  if (link.socket === null || link.status.kind !== 'open') return false;
  link.socket.send(JSON.stringify(frame));
  return true;
}
