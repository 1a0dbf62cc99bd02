/** Sockets from handshake to close: platform events in, calls to the match host out. */

import { makeProblem, retryAfter } from '../contract/errors.ts';
import type { ClientFrame } from '../contract/messages.ts';
import { CLOSE, SUBPROTOCOL, SUBPROTOCOL_2, TOKEN_PROTOCOL_PREFIX } from '../contract/messages.ts';
import type { Mode } from '../match/record.ts';
import type {
  Peer,
  PlatformSocket,
  SocketHandlers,
  UpgradeDecision,
} from '../platform/platform.ts';
import type { Erased } from '../runtime/host/host-deps.ts';
import { settleAll } from '../runtime/limits/calls.ts';
import type { SessionRow } from '../store/store.ts';
import type { WorldCount } from '../store/tenant-metrics.ts';
import { addressKey } from '../tenancy/address.ts';
import { dropLongEnded, show, showMissed } from './attached-sessions.ts';
import { spendOf } from './connection/buckets.ts';
import { parseFrame } from './connection/client-frames.ts';
import type { Connection } from './connection/connection.ts';
import { checkBacklog, closeConnection, noteBacklog } from './connection/connection.ts';
import type { SocketDeps } from './connection/deps.ts';
import { SessionNumbers } from './connection/session-numbers.ts';
import { announce, enter, leave } from './enter.ts';
import { handleFrame, refuseFrame } from './frames.ts';
import { sendPendingStates } from './pending-states.ts';
import { forgetArrivals } from './presence/arrivals.ts';
import type { Census } from './presence/census.ts';
import { botKey, hasRoomFor, lobbyKey, makeCensus, playerKey } from './presence/census.ts';
import { countFlood, forgetHandshakes, mayConnect } from './presence/handshakes.ts';
import { confirmPresence, retryPresence } from './presence/presence.ts';
import { closeRevoked } from './presence/revoked.ts';
import { sendPendingReplays } from './replays.ts';

/** The path of the socket. */
export const SOCKET_PATH = '/v1/socket';
/** Lobbies that check for missed sessions concurrently. */
const CATCH_UP_AT_ONCE = 32;
/** A socket without a token has this long to send `hello`. */
const HELLO_MS = 5_000;

export interface SocketService {
  upgrade(request: Request, peer: Peer): UpgradeDecision<Connection>;
  readonly handlers: SocketHandlers<Connection>;
  /** A player got a seat: their lobby, if one is open, shows the session from now on. */
  seated(row: SessionRow, playerId: string, seat: number, isBot?: boolean): void;
  /** Is a lobby of the player's open here, which `seated` would reach? */
  isInLobby(tenant: string, mode: Mode, playerId: string): boolean;
  /** Has the player any socket of that mode open here? */
  isConnected(tenant: string, mode: Mode, playerId: string): boolean;
  /** A socket of this slot was opened on another node: older ones here are closed. */
  giveWay(place: string, isOlder: (stamp: number) => boolean): void;
  /** Messages may have been missed: lobbies check for sessions they do not show yet. */
  catchUp(): void;
  /** Watchers here, by session. */
  watched(): ReadonlyMap<string, number>;
  /** Closes a player's sockets, all or those opened before that time (ms since 1970). */
  dropPlayer(player: Erased, openedBefore?: number): void;
  /**
   * Closes sockets whose tokens are no longer valid, and retries departures that could not be stored. To be called
   * every second, and not again before it has ended; rejects when the store fails.
   */
  maintain(): Promise<void>;
  /** Asks open sockets to reconnect. */
  sendAway(): void;
  /** The same, and refuses new ones. */
  drain(): void;
  /** Sockets open now. */
  size(): number;
  /** Sockets with a known token, by tenant and mode. */
  counts(): readonly SocketCount[];
  /** Connected players here, by world; those of training are in none. */
  players(): readonly WorldCount[];
}

export interface SocketCount {
  readonly tenant: string;
  readonly mode: Mode;
  readonly count: number;
}

/** `census` is for tests to look at. */
export function makeSocketService(deps: SocketDeps, census = makeCensus()): SocketService {
  let isDraining = false;
  return {
    upgrade: (request, peer) =>
      isDraining ? refuse(deps, 'not_ready') : decideUpgrade(deps, census, request, peer),
    handlers: makeHandlers(deps, census),
    seated(row, playerId, seat, isBot = false) {
      const { tenant, mode } = row;
      const key = isBot ? botKey(tenant, mode, playerId) : lobbyKey(tenant, mode, playerId);
      const lobbies = census.byPlace.get(key) ?? [];
      for (const lobby of lobbies) {
        show(deps, lobby, { session: row.id, seat });
        dropLongEnded(deps, lobby).catch(deps.onError);
      }
    },
    isConnected: (tenant, mode, playerId) => census.present.has(playerKey(tenant, mode, playerId)),
    isInLobby: (tenant, mode, playerId) => census.byPlace.has(lobbyKey(tenant, mode, playerId)),
    giveWay(place, isOlder) {
      for (const connection of [...(census.byPlace.get(place) ?? [])]) {
        const isNewest = connection.state.kind === 'open' && connection.stamp > 0;
        if (isNewest && isOlder(connection.stamp)) closeConnection(connection, CLOSE.replaced);
      }
    },
    catchUp() {
      void catchUp(deps, census);
    },
    watched: () => census.watchersBySession.all(),
    dropPlayer({ tenant, world, playerId }, openedBefore = Infinity) {
      for (const connection of census.all) {
        const { state, openedAt } = connection;
        if (!('claims' in state) || state.claims.scope === 'bot') continue;
        const { claims } = state;
        if (claims.tenant !== tenant || claims.player !== playerId) continue;
        // A guest's id, in training, is made for one session of one world.
        if (claims.mode !== world && claims.mode !== 'training') continue;
        if (openedAt < openedBefore) closeConnection(connection, CLOSE.token);
        else confirmPresence(deps, census, claims);
      }
    },
    async maintain() {
      forgetArrivals(census, deps.clock.now());
      forgetHandshakes(census, deps.clock.now());
      await settleAll([closeRevoked(deps, census), retryPresence(deps, census)]);
    },
    sendAway: () => sendAway(census),
    drain() {
      isDraining = true;
      sendAway(census);
    },
    size: () => census.all.size,
    counts: () => countSockets(census),
    players: () => countPlayers(census),
  };
}

function sendAway({ all }: Census): void {
  for (const connection of all) closeConnection(connection, CLOSE.restarting);
}

function countSockets({ all }: Census): readonly SocketCount[] {
  const counts = new Map<string, SocketCount>();
  for (const { state } of all) {
    if (!('claims' in state)) continue;
    const { tenant, mode } = state.claims;
    const name = `${tenant} ${mode}`;
    counts.set(name, { tenant, mode, count: (counts.get(name)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

function countPlayers({ presentByWorld }: Census): readonly WorldCount[] {
  return Array.from(presentByWorld.all()).flatMap(([key, n]) => {
    const [tenant, mode] = key.split(':') as [string, Mode];
    return mode === 'training' ? [] : [{ tenant, mode, n }];
  });
}

/** Few at a time: each reads the store, which others need, too. */
async function catchUp(deps: SocketDeps, census: Census): Promise<void> {
  const connections = [...census.all];
  const watch = async (): Promise<void> => {
    for (let each = connections.pop(); each !== undefined; each = connections.pop()) {
      await showMissed(deps, each).catch(deps.onError);
    }
  };
  await Promise.all(Array.from({ length: CATCH_UP_AT_ONCE }, watch));
}

/** Why the service refuses a handshake, by code. */
type Refusal = 'not_found' | 'subprotocol_required' | 'too_many_sockets' | 'not_ready';
/** When to retry, in ms: sockets come and go, and a restart is short. */
const RETRY_MS = 1_000;

/** Sent with all responses (rule H2). */
function refuse(deps: SocketDeps, code: Refusal): UpgradeDecision<Connection> {
  const { status, message } = makeProblem(code);
  const headers = new Headers({
    'Content-Type': 'application/json; charset=utf-8',
    'X-Error-Code': code,
    'X-Request-Id': deps.makeId('req'),
  });
  if (status === 429 || status === 503) {
    headers.set('Retry-After', retryAfter(RETRY_MS)['retry-after']);
  }
  const body = JSON.stringify({ error: message });
  return { accept: false, response: new Response(body, { status, headers }) };
}

function decideUpgrade(
  deps: SocketDeps,
  census: Census,
  request: Request,
  peer: Peer,
): UpgradeDecision<Connection> {
  const { pathname } = new URL(request.url);
  if (pathname !== SOCKET_PATH) return refuse(deps, 'not_found');
  const asked = (request.headers.get('Sec-WebSocket-Protocol') ?? '')
    .split(',')
    .map((p) => p.trim());
  const wire = asked.includes(SUBPROTOCOL_2) ? 2 : 1;
  const protocol = wire === 2 ? SUBPROTOCOL_2 : SUBPROTOCOL;
  if (!asked.includes(protocol)) return refuse(deps, 'subprotocol_required');
  const token =
    asked
      .find((each) => each.startsWith(TOKEN_PROTOCOL_PREFIX))
      ?.slice(TOKEN_PROTOCOL_PREFIX.length) ?? null;
  const address = addressKey(deps.clientAddress(request, peer));
  const hasRoom = hasRoomFor(census, address, token !== null);
  if (!hasRoom || !mayConnect(census, address, deps.clock.now()))
    return refuse(deps, 'too_many_sockets');
  const data: Connection = {
    address,
    origin: request.headers.get('Origin'),
    token,
    wire,
    numbers: new SessionNumbers(),
    buckets: {},
    backlogs: census.backlogs,
    backlogBytes: 0,
    openedAt: deps.clock.now(),
    socket: null,
    state: { kind: 'closed' },
    leftOutBytes: null,
    pendingStates: null,
    pendingReplays: null,
    receipts: [],
    renewedAt: 0,
    stamp: 0,
    leavePlace: null,
    isPutAway: false,
  };
  return { accept: true, protocol, data };
}

function makeHandlers(deps: SocketDeps, census: Census): SocketHandlers<Connection> {
  return {
    path: SOCKET_PATH,
    opened(socket) {
      opened(deps, census, socket);
    },
    message(socket, text) {
      message(deps, census, socket.data, text);
    },
    binary(socket) {
      closeBadFrame(socket.data, 'binary');
    },
    pinged(socket) {
      if (takeControlFrame(deps, census, socket.data)) checkBacklog(socket.data);
    },
    ponged(socket) {
      if (takeControlFrame(deps, census, socket.data)) announce(deps, socket.data);
    },
    flooded(socket) {
      cutOff(deps, census, socket.data);
    },
    drained(socket) {
      noteBacklog(socket.data, 0);
      if (socket.data.leftOutBytes === null) return;
      socket.data.leftOutBytes = null;
      sendPendingStates(deps, socket.data);
      sendPendingReplays(deps, census.replayReads, socket.data);
    },
    closed(socket) {
      closed(deps, census, socket.data);
    },
  };
}

/** A ping or a pong. False when it exceeded the limit. */
function takeControlFrame(deps: SocketDeps, census: Census, connection: Connection): boolean {
  const what = connection.state.kind === 'open' ? 'control' : 'greetingControl';
  if (spendOf(connection.buckets, what, deps.clock.now()) !== 'close') return true;
  cutOff(deps, census, connection);
  return false;
}

/** Ends a flood without a close frame: after one Bun would read on for 4 s. */
function cutOff(deps: SocketDeps, census: Census, connection: Connection): void {
  countFlood(census, connection.address, deps.clock.now());
  connection.socket?.terminate();
}

function opened(deps: SocketDeps, census: Census, socket: PlatformSocket<Connection>): void {
  const connection = socket.data;
  connection.socket = socket;
  census.all.add(connection);
  census.byAddress.add(connection.address, 1);
  const { token } = connection;
  if (token !== null) {
    connection.token = null;
    void enter(deps, census, connection, token);
    return;
  }
  census.greeting.add(connection.address, 1);
  const cancelTimeout = deps.clock.after(HELLO_MS, () =>
    closeConnection(connection, CLOSE.noHello),
  );
  connection.state = { kind: 'greeting', cancelTimeout };
}

function closed(deps: SocketDeps, census: Census, connection: Connection): void {
  if (!census.all.delete(connection)) return;
  census.byAddress.add(connection.address, -1);
  if (connection.state.kind === 'greeting') endGreeting(census, connection);
  connection.socket = null;
  noteBacklog(connection, 0);
  leave(deps, census, connection);
}

/** The hello has come, or is too late. */
function endGreeting(census: Census, connection: Connection): void {
  if (connection.state.kind !== 'greeting') return;
  connection.state.cancelTimeout();
  census.greeting.add(connection.address, -1);
}

function message(deps: SocketDeps, census: Census, connection: Connection, text: string): void {
  const frame = parseFrame(connection, text);
  const isInput = 't' in frame && frame.t === 'in';
  const what = isInput ? 'input' : 'message';
  const allowance = spendOf(connection.buckets, what, deps.clock.now());
  if ('wrong' in frame) {
    closeBadFrame(connection, frame.wrong);
  } else if (allowance === 'close') {
    countFlood(census, connection.address, deps.clock.now());
    closeConnection(connection, CLOSE.tooFast);
  } else if (allowance === 'refuse') {
    refuseFrame(connection, frame, 'too_fast', 'Too many messages: slow down');
  } else if (connection.state.kind === 'greeting') {
    greet(deps, census, connection, frame);
  } else if (connection.state.kind === 'open') {
    handleFrame(deps, census, connection, connection.state, frame);
  } else if (frame.t !== 'hello' && frame.t !== 'ping') {
    // Frames before `welcome` have no session; the client sends them again by their ids.
    refuseFrame(connection, frame, 'unknown_session', 'Wait for welcome');
  }
}

function closeBadFrame(connection: Connection, wrong: string): void {
  const { code, reason } = CLOSE.badFrame;
  closeConnection(connection, { code, reason: `${reason}: ${wrong}` });
}

function greet(deps: SocketDeps, census: Census, connection: Connection, frame: ClientFrame): void {
  if (frame.t !== 'hello' || frame.token === undefined) {
    closeConnection(connection, CLOSE.token);
    return;
  }
  endGreeting(census, connection);
  const { token, resume = {} } = frame;
  void enter(deps, census, connection, token).then(() => {
    if (connection.state.kind !== 'open') return;
    const { places } = connection.state;
    for (const [s, v] of Object.entries(resume)) if (places.has(s)) deps.host.noteSeen(s, v);
  });
}
