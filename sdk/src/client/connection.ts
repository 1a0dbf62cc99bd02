/** A player's connection to a match server: reconnects, loses no command, tracks each session. */

import { parseServerFrames } from '../frames/compact.ts';
import type { CommandMessage } from '../frames/frames.ts';
import { parseTime, SUBPROTOCOLS, TOKEN_PROTOCOL_PREFIX } from '../frames/frames.ts';
import type {
  ClientMessage,
  PongFrame,
  RematchMessage,
  ServerFrame,
  WelcomeFrame,
} from '../generated/frames.ts';
import type { ConnectionOptions, ConnectionStatus, FailReason, Link } from './link.ts';
import { transmit } from './link.ts';
import { acknowledge, addEntropy, giveUp, send, stopResending, suspect } from './outbox.ts';
import { sayRematch, takeRematch } from './rematches.ts';
import { askReplay, takeReplay } from './replays.ts';
import type { RetryCause } from './retry.ts';
import { judgeClose, retryWaitMs } from './retry.ts';
import { makeServerClock } from './server-clock.ts';
import type { SessionView } from './session-view.ts';
import {
  askMissed,
  leaveSession,
  missedBy,
  seek,
  showFrame,
  takeReject,
} from './shown-sessions.ts';

export interface Connection {
  readonly status: ConnectionStatus;
  readonly sessions: ReadonlyMap<string, SessionView>;
  /** Commands that are neither acknowledged nor refused yet, oldest first. */
  readonly sending: readonly CommandMessage[];
  readonly roundTripMs: number | null;
  /** The estimated server time, ms since 1970. */
  serverNow(): number;
  /** Opens the first socket. */
  start(): void;
  /** Stored and sent again until it is answered. */
  command(command: CommandMessage): void;
  /** The player's contribution to a match's randomness: stored until the match begins. */
  entropy(session: string, value: string): void;
  /** Requests the replay of an ended session, until it is answered. */
  askReplay(session: string, id: string): void;
  /** Sends a message about a rematch, until it is answered. */
  sayRematch(message: RematchMessage): void;
  /** Not retried: false when it could not be sent now. */
  transmit(message: ClientMessage): boolean;
  /** The network or the page is back: reconnects at once, or checks that the socket is alive. */
  wake(): void;
  /** Takes over a replaced connection. */
  reconnect(): void;
  close(): void;
}

/** Time limit for `welcome`. Milliseconds. */
const WELCOME_WAIT_MS = 10_000;
/** Time limit for a fresh token. */
const TOKEN_WAIT_MS = 30_000;
/** Time limit for the answer to a ping. */
const PONG_WAIT_MS = 8_000;
/** The same when the network may have been lost. */
const WAKE_WAIT_MS = 3_000;
/**
 * After this long a connection counts as stable: the next wait is short again, and bad frames are counted from
 * zero.
 */
const STEADY_MS = 5_000;
/** Consecutive unreadable frames that are no accident. */
const BAD_FRAMES_MAX = 3;
/** Consecutive refusals of fresh tokens that are no accident. */
const REFUSALS_MAX = 3;
/** Characters of a subprotocol; others make the browser throw. */
const SENDABLE = /^[\w.~+-]+$/;

export function makeConnection(options: ConnectionOptions): Connection {
  const link: Link = {
    options,
    clock: makeServerClock(),
    sessions: new Map(),
    outbox: new Map(),
    acked: new Map(),
    decidedOn: new Map(),
    outdated: new Set(),
    resends: new Map(),
    suspects: new Set(),
    entropy: new Map(),
    replays: new Map(),
    rematches: new Map(),
    numbers: new Map(),
    pings: new Map(),
    shown: new Map(),
    missed: new Set(),
    syncedAt: new Map(),
    status: { kind: 'connecting', attempt: 0 },
    credentials: options.credentials.filter((each) => SENDABLE.test(each)),
    socket: null,
    attempt: 0,
    badFrames: 0,
    refusals: 0,
    asking: null,
    openedAt: null,
    wasOpen: false,
    watchers: null,
    pingMs: 0,
    pingCount: 0,
    cancelTimer: () => {},
    cancelPing: () => {},
  };
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
    start() {
      if (link.status.kind === 'connecting' && link.socket === null) connect(link);
    },
    command(command) {
      send(link, command);
      seek(link, command.s);
    },
    entropy: (s, value) => addEntropy(link, s, value),
    askReplay(s, id) {
      askReplay(link, s, id);
      seek(link, s);
    },
    sayRematch(message) {
      sayRematch(link, message);
      seek(link, message.s);
    },
    // A refused message without an id could not be distinguished from the answer to `hello`.
    transmit: (message) =>
      (!('s' in message) || link.shown.has(message.s)) && transmit(link, message),
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

/** Closing is final, even when a listener closes during a step: the rest of the step does nothing. */
const isClosed = ({ status }: Link): boolean => status.kind === 'closed';

function setStatus(link: Link, status: ConnectionStatus): void {
  if (isClosed(link)) return;
  link.status = status;
  link.options.onEvent({ kind: 'status', status });
}

function fail(link: Link, reason: FailReason): void {
  drop(link);
  setStatus(link, { kind: 'failed', reason, wasOpen: link.wasOpen });
}

function connect(link: Link): void {
  const { ports, url, credentials, getToken } = link.options;
  if (isClosed(link)) return;
  drop(link);
  const credential = link.credentials[0];
  if (credential === undefined && getToken !== null) {
    void askToken(link, getToken);
    return;
  }
  if (credential === undefined) {
    fail(link, credentials.length === 0 ? 'no_credential' : 'token_refused');
    return;
  }
  const socket = ports.open(url, [...SUBPROTOCOLS, `${TOKEN_PROTOCOL_PREFIX}${credential}`]);
  link.socket = socket;
  socket.onmessage = ({ data }) => {
    if (link.socket !== socket || typeof data !== 'string') return;
    // A frame may end the connection.
    for (const frame of parseServerFrames(link.numbers, data)) {
      if (link.socket === socket) receive(link, frame);
    }
  };
  socket.onclose = ({ code }) => {
    if (link.socket === socket) lose(link, code);
  };
  link.cancelTimer = ports.after(WELCOME_WAIT_MS, () => lose(link, 1006));
  setStatus(link, { kind: 'connecting', attempt: link.attempt });
}

async function askToken(link: Link, getToken: () => Promise<string | null>): Promise<void> {
  const asking = {};
  link.asking = asking;
  link.cancelTimer = link.options.ports.after(TOKEN_WAIT_MS, () => lose(link, 1006));
  setStatus(link, { kind: 'connecting', attempt: link.attempt });
  if (isClosed(link)) return;
  const token = await askSafely(getToken);
  if (link.asking !== asking) return;
  if (token === undefined) {
    lose(link, 1006);
  } else if (token === null || !SENDABLE.test(token)) {
    fail(link, token === null ? 'no_credential' : 'token_refused');
  } else {
    link.credentials = [token];
    connect(link);
  }
}

/** Undefined when it throws: usually the caller's own network failed, which is as temporary as ours. */
async function askSafely(getToken: () => Promise<string | null>) {
  try {
    return await getToken();
  } catch {
    return undefined;
  }
}

/** Drops the socket and its timers. */
function drop(link: Link): void {
  link.asking = null;
  link.cancelTimer();
  link.cancelPing();
  link.numbers.clear();
  link.pings.clear();
  link.shown.clear();
  link.syncedAt.clear();
  stopResending(link);
  const { socket } = link;
  link.socket = null;
  link.openedAt = null;
  if (socket === null) return;
  socket.onmessage = null;
  socket.onclose = null;
  socket.close();
}

/** The socket is closed, or considered closed. */
function lose(link: Link, code: number): void {
  const { openedAt } = link;
  if (openedAt !== null && link.options.ports.now() - openedAt > STEADY_MS) {
    link.attempt = 0;
    link.badFrames = 0;
  }
  const underWay = [...link.resends.keys()];
  drop(link);
  const verdict = judgeClose(code);
  switch (verdict.kind) {
    case 'retry':
      retry(link, verdict.cause);
      return;
    case 'next_credential':
      refuseCredential(link);
      return;
    case 'replaced':
      giveUp(link, () => setStatus(link, { kind: 'replaced' }));
      return;
    case 'origin_refused':
    case 'left':
      fail(link, verdict.kind);
      return;
    case 'bad_frame':
      suspect(link, underWay);
      link.badFrames += 1;
      if (link.badFrames >= BAD_FRAMES_MAX) fail(link, 'protocol');
      else retry(link, 'lost');
      return;
  }
}

function refuseCredential(link: Link): void {
  link.credentials = link.credentials.slice(1);
  if (link.credentials.length === 0) link.refusals += 1;
  if (link.refusals >= REFUSALS_MAX) fail(link, 'token_refused');
  else connect(link);
}

function retry(link: Link, cause: RetryCause): void {
  const { ports } = link.options;
  const { attempt } = link;
  if (isClosed(link)) return;
  const waitMs = retryWaitMs(cause, attempt, ports.random());
  link.attempt += 1;
  link.cancelTimer = ports.after(waitMs, () => connect(link));
  setStatus(link, { kind: 'waiting', cause, attempt, retryAt: ports.now() + waitMs });
}

function wake(link: Link): void {
  if (link.status.kind === 'waiting' && link.status.cause !== 'too_fast') connect(link);
  else if (link.status.kind === 'open') ping(link, WAKE_WAIT_MS);
}

function receive(link: Link, frame: ServerFrame): void {
  switch (frame.t) {
    case 'welcome':
      welcome(link, frame);
      return;
    case 'state':
    case 'update':
    case 'presence':
    case 'over':
    case 'warning':
      showFrame(link, frame);
      return;
    case 'ack':
      acknowledge(link, frame);
      return;
    case 'reject':
      takeReject(link, frame);
      return;
    case 'left':
      leaveSession(link, frame);
      return;
    case 'emote':
      link.options.onEvent({ kind: 'emote', s: frame.s, seat: frame.seat, emote: frame.emote });
      return;
    case 'ticks':
      link.options.onEvent({ kind: 'ticks', frame });
      return;
    case 'pong':
      pong(link, frame);
      return;
    case 'replay':
      takeReplay(link, frame);
      return;
    case 'rematch':
      takeRematch(link, frame);
      return;
  }
}

function welcome(link: Link, frame: WelcomeFrame): void {
  link.cancelTimer();
  link.cancelTimer = () => {};
  link.openedAt = link.options.ports.now();
  link.wasOpen = true;
  link.refusals = 0;
  link.pingMs = Math.min(frame.pingMs, link.options.pingMsMax);
  link.missed = missedBy(link, frame.sessions);
  keepCredential(link, frame.resumeToken);
  setStatus(link, { kind: 'open' });
  ping(link, PONG_WAIT_MS);
}

/** The newest token first; the first socket's token is the second choice, or a fresh one. */
function keepCredential(link: Link, resumeToken: string): void {
  const { credentials, getToken } = link.options;
  const others = getToken === null ? credentials : [];
  const all = new Set([resumeToken, ...others]);
  link.credentials = [...all].filter((each) => SENDABLE.test(each));
  link.options.onEvent({ kind: 'credential', resumeToken });
}

function ping(link: Link, waitMs: number): void {
  const { ports } = link.options;
  if (isClosed(link)) return;
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
  const { watchers } = frame;
  if (watchers !== undefined && watchers !== link.watchers) {
    link.watchers = watchers;
    link.options.onEvent({ kind: 'watchers', count: watchers });
  }
  if (link.missed.size > 0) transmit(link, askMissed(link));
  if (frame.n !== link.pingCount || isClosed(link)) return;
  link.cancelPing();
  link.cancelPing = ports.after(link.pingMs, () => ping(link, PONG_WAIT_MS));
}
