/** The few calls that depend on the runtime: serving HTTP and WebSockets. Two implementations. */

/** One open WebSocket of the platform. `T` is what the upgrade attached to it. */
export interface PlatformSocket<T> {
  readonly data: T;
  /** Sends text frames, in order, in as few writes as possible. A closed socket ignores it. */
  send(texts: readonly string[]): void;
  /** Bytes of `send` and of the platform's own frames that the operating system has not accepted yet. */
  backlogBytes(): number;
  /** Starts the closing handshake. Codes as in RFC 6455; `reason` is at most 123 bytes. */
  close(code: number, reason: string): void;
  /** Drops the connection without a handshake. */
  terminate(): void;
  /** Pings the client: `ponged` follows, if there is a client. */
  ping(): void;
}

/**
 * Socket events. No handler may throw; one that does loses its socket, with 1011. The platform calls `closed`
 * exactly once, never from inside a call on the socket, and soon after `close` and `terminate`, without waiting
 * for the client; no other event follows.
 */
export interface SocketHandlers<T> {
  /** The one path with sockets: elsewhere a handshake is an ordinary request. Without it every path has them. */
  readonly path?: string;
  opened(socket: PlatformSocket<T>): void;
  /** A text frame. */
  message(socket: PlatformSocket<T>, text: string): void;
  /** A binary frame; its content does not matter, because matchd uses text. */
  binary(socket: PlatformSocket<T>): void;
  /** The client has pinged. The platform's own pong is in the backlog already. */
  pinged(socket: PlatformSocket<T>): void;
  /** The client has answered a ping, ours or the platform's. */
  ponged(socket: PlatformSocket<T>): void;
  /**
   * The client sends far more than it may, in fragments that make no message: to be terminated. On Node a message
   * has more than FRAGMENTS_MAX of them. Bun shows none: on Linux, more than UNREAD_INPUT_BYTES_MAX are unread, or
   * more than UNREAD_INPUT_BYTES_LONG twice in a row; elsewhere it is never called.
   */
  flooded(socket: PlatformSocket<T>): void;
  /** The backlog has been written. */
  drained(socket: PlatformSocket<T>): void;
  /** `code` is the client's, or that of our `close`; 1006 for everything else. */
  closed(socket: PlatformSocket<T>, code: number): void;
}

/** For a server that upgrades nothing. */
export const NO_SOCKETS: SocketHandlers<null> = {
  opened() {},
  message() {},
  binary() {},
  pinged() {},
  ponged() {},
  flooded() {},
  drained() {},
  closed() {},
};

/** The service's answer to a WebSocket handshake. A refusal ends the connection. */
export type UpgradeDecision<T> =
  | { readonly accept: true; readonly protocol: string | null; readonly data: T }
  | { readonly accept: false; readonly response: Response };

export interface Peer {
  /** The address of the other end of the TCP connection, without port; IPv4 in dotted form. */
  readonly address: string;
}

/** Why a body is not accepted: it exceeds `bodyBytesMax`, or was too slow. */
export type BodyFault = 'too large' | 'too slow';
/** Why a handshake on the sockets' path makes no socket. */
export type HandshakeFault = 'unsupported version' | 'malformed handshake';
/** `bad request`: its head cannot be parsed. */
export type Fault = BodyFault | HandshakeFault | 'bad request';

export interface ServeOptions<T> {
  readonly hostname: string;
  /** 0 chooses any free port. */
  readonly port: number;
  /**
   * Answers every request that is no WebSocket handshake, once its whole body has arrived: decisions then use the
   * present state, not that of the head. `arrayBuffer`, `text` or `json` give the body. Must not reject. The first
   * chunk of a streamed response must be ready at once: Bun sends the head together with it.
   */
  fetch(request: Request, peer: Peer): Response | Promise<Response>;
  /**
   * Answers a request that reaches neither `fetch` nor `upgrade`; its body is not read. An unparsable one arrives
   * as an empty GET of `http://unknown.invalid/`. Without `refuse` the platform gives a bare response itself.
   */
  readonly refuse?: (request: Request, peer: Peer, why: Fault) => Response | Promise<Response>;
  /**
   * Decides every WebSocket handshake, a GET of the sockets' path, synchronously: nothing may be awaited before
   * the upgrade. Malformed ones (no key, another version) go to `refuse`, so `opened` and `closed` follow every
   * acceptance.
   */
  upgrade(request: Request, peer: Peer): UpgradeDecision<T>;
  readonly sockets: SocketHandlers<T>;
  /** Headers of every response, including the platform's own; names in lower case. An accepted handshake has none. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits: ServeLimits;
  /** Receives what `fetch`, `upgrade` or a socket handler threw; without it such errors are lost. */
  readonly failed?: (error: unknown) => void;
}

export interface ServeLimits {
  /** Largest accepted WebSocket message, in bytes; larger ones close the socket with 1009. */
  readonly frameBytesMax: number;
  /** Largest HTTP body that the platform reads, in bytes. The service's own, smaller limit gives 413. */
  readonly bodyBytesMax: number;
  /** A socket without input for this long is pinged, then dropped. In seconds. */
  readonly idleTimeoutS: number;
}

/** A socket with more backlog than this is dropped: the last resort below the service's limits. */
export const BACKLOG_BYTES_MAX = 16 * 1024 * 1024;

/** Fragments of a message. Empty ones add nothing to its length, so the length does not limit them. */
export const FRAGMENTS_MAX = 256;

/**
 * A client's bytes that the system holds for the process, which reads them each turn of its event loop. A client
 * within its rate never has as many there, and has half its burst only briefly.
 */
export const UNREAD_INPUT_BYTES_MAX = 1024 * 1024;
export const UNREAD_INPUT_BYTES_LONG = 128 * 1024;

/**
 * Bytes of a body refused for its size that are read and dropped, and its connection continues. A larger body ends
 * the connection, so that endless ones are not read.
 */
export const DRAINED_BYTES_MAX = 16 * 1_024 * 1_024;

/** Time for a request's head to arrive; slower connections are dropped. */
export const HEAD_TIMEOUT_S = 10;

/**
 * An idle HTTP connection is dropped after this time: streams send a heartbeat sooner. Longer than the 60 s for
 * which load balancers reuse a connection, so that they do not meet a close.
 */
export const HTTP_IDLE_TIMEOUT_S = 75;

export interface PlatformServer {
  readonly port: number;
  /** Stops accepting connections; open ones stay. */
  stopListening(): Promise<void>;
  /** Resolves when no body is awaited: complete ones have reached `fetch`, the others `refuse`. */
  bodiesEnded(): Promise<void>;
  /** Closes what is still open, sockets with 1001, and frees the port. */
  close(): Promise<void>;
}

/** Thrown by `serve` when another process listens on the port. */
export class PortInUseError extends Error {
  readonly port: number;
  constructor(port: number) {
    super(`port ${port} is in use`);
    this.name = 'PortInUseError';
    this.port = port;
  }
}

export interface Platform {
  readonly name: 'bun' | 'node';
  serve<T>(options: ServeOptions<T>): Promise<PlatformServer>;
}
