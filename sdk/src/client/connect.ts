/** A player's client: one connection, and an object with its own events for each session. */

import type { PredictedRules, Prediction, StateOf } from '../../../game/src/prediction.ts';
import type { ActionOf, OwnGame } from '../actions.ts';
import type { CommandMessage, DrawStep, Emote } from '../frames/frames.ts';
import type { Replay } from '../generated/api.ts';
import { EMOTES } from '../generated/frames.ts';
import type { Game, KnownGame } from '../generated/games.ts';
import type { Connection } from './connection.ts';
import { makeConnection } from './connection.ts';
import type { Fight } from './fight.ts';
import type { ConnectionEvent, ConnectionPorts, ConnectionStatus, Rematch } from './link.ts';
import type { WebSocketLike } from './platform.ts';
import { followWaking, makeId, makePorts } from './platform.ts';
import type { TickLink } from './prediction.ts';
import type { SessionView } from './session-view.ts';

export interface ConnectOptions {
  /** The service's address, or the `socketUrl` of a response. */
  readonly url: string;
  /** A token of a session, a lobby or a watcher. */
  readonly token?: string | undefined;
  /** From an earlier `credential` event, for example before a reload; tried first. */
  readonly resumeToken?: string | undefined;
  /** Called for a fresh token when the others are refused; null means that there is none. */
  readonly getToken?: (() => Promise<string | null>) | undefined;
  /**
   * The longest time between pings, which measure the connection and refresh the number of watchers. Milliseconds, at
   * least 5,000; by default the server's own, 25 seconds.
   */
  readonly pingMs?: number | undefined;
  /** For runtimes without WebSocket: the export of the package `ws`. */
  readonly WebSocket?: WebSocketLike | undefined;
}

/** A command that was refused, or whose client was closed or replaced before the answer. */
export class CommandError extends Error {
  /** As in `reject` frames: `illegal_move`, `not_your_turn`, …; or `closed`, `replaced`, `outdated`. */
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'CommandError';
    this.code = code;
  }
}

/** The outcome of a command. */
export interface Committed {
  /** The version of its record. */
  readonly v: number;
}

type Listener = (event: ConnectionEvent) => void;
type Stop = () => void;

/** One session. Commands resolve once they are committed, even across reconnects. */
export interface MatchSession<G extends Game = KnownGame, Own extends OwnGame = OwnGame> {
  readonly id: string;
  /** The latest view; null until the first state has arrived. */
  readonly view: SessionView<G, Own> | null;
  /** Commands that are neither acknowledged nor refused yet, oldest first. */
  readonly sending: readonly CommandMessage[];
  act(action: ActionOf<G, Own>): Promise<Committed>;
  /** Leaves before the match begins: the seat is open again, and `left` follows. */
  leave(): Promise<Committed>;
  resign(): Promise<Committed>;
  draw(step: DrawStep): Promise<Committed>;
  /** Not retried: false when it could not be sent now, or is not in `EMOTES`. */
  emote(emote: Emote): boolean;
  /** The player's own contribution to the match's randomness, before the start: 1 to 64 characters. */
  entropy(value: string): void;
  /** The whole match after its end; else a `CommandError`, for example `session_not_ended`. */
  replay(): Promise<Replay>;
  /**
   * After the end: offers a rematch, withdraws the offer, or declines for good. Resolves with the answers of all
   * players so far; else a `CommandError`, for example `rematch_over`.
   */
  rematch(step?: 'offer' | 'withdraw' | 'decline'): Promise<Rematch>;
  /** The players' answers about a rematch, and the token of the created one. */
  askRematch(): Promise<Rematch>;
  /** For fight-arena: the player's prediction of its ticks, loaded on demand. */
  fight(): Promise<Fight>;
  /** The same for any tick game, by its own rules. Without `stateOf` the view is the state. */
  predict<State>(
    rules: PredictedRules<State>,
    stateOf?: StateOf<State>,
  ): Promise<Prediction<State>>;
  /** Listens to events of this session only. */
  on(listener: Listener): Stop;
}

export interface Client {
  readonly status: ConnectionStatus;
  readonly sessions: ReadonlyMap<string, SessionView>;
  readonly roundTripMs: number | null;
  /** The estimated server time, ms since 1970. */
  serverNow(): number;
  /** Throws for an invalid session id: it has 1 to 64 characters. */
  session<G extends Game = KnownGame, Own extends OwnGame = OwnGame>(
    id: string,
  ): MatchSession<G, Own>;
  /**
   * The session of a session's token, once its state has arrived; rejects with a `CommandError` when none will
   * come.
   */
  firstSession<G extends Game = KnownGame, Own extends OwnGame = OwnGame>(): Promise<
    MatchSession<G, Own>
  >;
  /** Listens to all events. Listeners added in the same turn miss nothing. */
  on(listener: Listener): Stop;
  /** Retries at once instead of waiting. */
  wake(): void;
  /** Takes over a replaced connection. */
  reconnect(): void;
  close(): void;
}

type Answer = Committed | Replay | Rematch;

/** A caller that waits for an answer to a command or a request. */
interface Pending {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: CommandError) => void;
}

/** The socket's address, from a response's `socketUrl` or the service's own address. Throws for anything else. */
function socketUrlOf(url: string): string {
  const socket = new URL(url);
  // `localhost:4000` is a URL, too, with the scheme `localhost`.
  if (!/^(?:http|ws)s?:$/.test(socket.protocol))
    throw new TypeError(`No address of a service: ${url}`);
  socket.protocol = socket.protocol.replace(/^http/, 'ws');
  if (!socket.pathname.endsWith('/v1/socket')) {
    socket.pathname = `${socket.pathname.replace(/\/$/, '')}/v1/socket`;
  }
  return socket.href;
}

/** Shortest interval of pings. */
const PING_MS_MIN = 5_000;

/** Opens the first socket after the current code has run, so that no event is missed. */
export function connect(options: ConnectOptions): Client {
  return connectWith(options, makePorts(options.WebSocket));
}

/** The same with the caller's own clock, socket and timers. */
export function connectWith(options: ConnectOptions, ports: ConnectionPorts): Client {
  const listeners = new Set<Listener>();
  const pending = new Map<string, Pending>();
  const undelivered: ConnectionEvent[] = [];
  const { token, resumeToken, getToken, pingMs = Number.POSITIVE_INFINITY } = options;
  const connection = makeConnection({
    url: socketUrlOf(options.url),
    credentials: [resumeToken, token].flatMap((each) => each || []),
    getToken: getToken ?? null,
    pingMsMax: Math.max(PING_MS_MIN, pingMs),
    ports,
    onEvent(event) {
      settle(pending, event);
      // Events caused by a listener are delivered after the current one.
      if (undelivered.push(event) > 1) return;
      for (const each of undelivered) for (const listen of [...listeners]) callSafely(listen, each);
      undelivered.length = 0;
    },
  });
  const stopFollowing = followWaking(connection.wake);
  queueMicrotask(connection.start);
  const on = (listener: Listener): Stop => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const session = (id: string) => makeSession(connection, pending, on, id);
  return {
    get status() {
      return connection.status;
    },
    sessions: connection.sessions,
    get roundTripMs() {
      return connection.roundTripMs;
    },
    serverNow: connection.serverNow,
    session: session as Client['session'],
    firstSession: () => firstSession(connection, on, session) as never,
    on,
    wake: connection.wake,
    reconnect: connection.reconnect,
    close() {
      stopFollowing();
      connection.close();
    },
  };
}

function makeSession(
  connection: Connection,
  pending: Map<string, Pending>,
  on: (listener: Listener) => Stop,
  id: string,
): MatchSession {
  // The server would treat such a frame as invalid, and close.
  if (id === '' || id.length > 64) throw new RangeError(`No session: ${id}`);
  const ask = <T extends Answer>(send: (id: string) => void): Promise<T> => {
    const own = makeId();
    const answered = new Promise<Answer>((resolve, reject) => {
      pending.set(own, { resolve, reject });
    });
    // A caller that listens to events need not await the result.
    answered.catch(() => {});
    if (isOver(connection.status)) settleAll(pending);
    else send(own);
    return answered as Promise<T>;
  };
  const command = (make: (id: string) => CommandMessage): Promise<Committed> =>
    ask((own) => connection.command(make(own)));
  const onSession = (listener: Listener): Stop =>
    on((event) => {
      if (sessionOf(event) === id) listener(event);
    });
  const tickLink = (): TickLink => ({
    session: id,
    serverNow: connection.serverNow,
    roundTripMs: () => connection.roundTripMs,
    transmit: connection.transmit,
    on: onSession,
  });
  return {
    id,
    get view() {
      return connection.sessions.get(id) ?? null;
    },
    get sending() {
      return connection.sending.filter(({ s }) => s === id);
    },
    act: (action) => command((own) => ({ t: 'act', s: id, id: own, action })),
    leave: () => command((own) => ({ t: 'leave', s: id, id: own })),
    resign: () => command((own) => ({ t: 'resign', s: id, id: own })),
    draw: (step) => command((own) => ({ t: 'draw', s: id, id: own, do: step })),
    emote: (emote) => EMOTES.includes(emote) && connection.transmit({ t: 'emote', s: id, emote }),
    entropy: (value) => connection.entropy(id, value),
    replay: () => ask((own) => connection.askReplay(id, own)),
    rematch: (step = 'offer') =>
      ask((own) => connection.sayRematch({ t: 'rematch', s: id, id: own, do: step })),
    askRematch: () => ask((own) => connection.sayRematch({ t: 'rematch', s: id, id: own })),
    async fight() {
      const { makeFight } = await import('./fight.ts');
      return makeFight(tickLink());
    },
    async predict<State>(
      rules: PredictedRules<State>,
      stateOf: StateOf<State> = (view) => view as State,
    ) {
      const { makePrediction } = await import('./prediction.ts');
      return makePrediction(rules, stateOf, tickLink());
    },
    on: onSession,
  };
}

function firstSession(
  connection: Connection,
  on: (listener: Listener) => Stop,
  session: (id: string) => MatchSession,
): Promise<MatchSession> {
  const [known] = connection.sessions.keys();
  if (known !== undefined) return Promise.resolve(session(known));
  return new Promise((resolve, reject) => {
    const rejectIfOver = (status: ConnectionStatus): void => {
      if (!isOver(status) && status.kind !== 'replaced') return;
      stop();
      const code = status.kind === 'failed' ? status.reason : status.kind;
      reject(new CommandError(code, 'No connection'));
    };
    const stop = on((event) => {
      if (event.kind === 'session') {
        stop();
        resolve(session(event.session.s));
      } else if (event.kind === 'status') rejectIfOver(event.status);
    });
    rejectIfOver(connection.status);
  });
}

function sessionOf(event: ConnectionEvent): string | null {
  switch (event.kind) {
    case 'session':
      return event.session.s;
    case 'acked':
      return event.command.s;
    case 'rejected':
      return event.command?.s ?? null;
    case 'emote':
    case 'replay':
    case 'replayRefused':
    case 'rematch':
    case 'rematchRefused':
      return event.s;
    case 'ticks':
      return event.frame.s;
    default:
      return null;
  }
}

const isOver = ({ kind }: ConnectionStatus): boolean => kind === 'closed' || kind === 'failed';

/** Settles the promise that waits for this answer. */
function settle(pending: Map<string, Pending>, event: ConnectionEvent): void {
  switch (event.kind) {
    case 'status':
      if (isOver(event.status)) settleAll(pending);
      return;
    case 'acked':
      take(pending, event.command.id)?.resolve({ v: event.v });
      return;
    case 'replay':
      take(pending, event.id)?.resolve(event.replay);
      return;
    case 'rematch':
      take(pending, event.id ?? '')?.resolve(event.rematch);
      return;
    case 'rejected':
      take(pending, event.command?.id ?? '')?.reject(new CommandError(event.code, event.error));
      return;
    case 'replayRefused':
    case 'rematchRefused':
      take(pending, event.id)?.reject(new CommandError(event.code, event.error));
      return;
    default:
  }
}

function take(pending: Map<string, Pending>, id: string): Pending | undefined {
  const waiting = pending.get(id);
  pending.delete(id);
  return waiting;
}

function settleAll(pending: Map<string, Pending>): void {
  for (const { reject } of pending.values()) {
    reject(new CommandError('closed', 'Closed: it is not known the result of it'));
  }
  pending.clear();
}

/** An error thrown by a listener does not affect the connection. */
function callSafely(listener: Listener, event: ConnectionEvent): void {
  try {
    listener(event);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
