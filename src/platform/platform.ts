/** The few calls that belong to the runtime: serving HTTP and WebSockets. Two implementations. */

/** One open WebSocket, as the platform shows it. `T` is what the upgrade attached to it. */
export interface PlatformSocket<T> {
  readonly data: T;
  /** Sends text frames, in order, in as few writes as the platform can. A closed socket ignores it. */
  send(texts: readonly string[]): void;
  /** Bytes of `send` and of the platform's own frames that the operating system has not taken yet. */
  backlogBytes(): number;
  /** Starts the closing handshake. Codes as in RFC 6455; `reason` is at most 123 bytes. */
  close(code: number, reason: string): void;
  /** Drops the connection without a handshake. */
  terminate(): void;
  /** Asks the client for a sign of life: `ponged` follows, if there is a client. */
  ping(): void;
}

/**
 * What happens on sockets. No handler may throw; one that does loses its socket, with 1011. The
 * platform calls `closed` exactly once, never from inside a call of yours on the socket, and soon
 * after `close` and `terminate`, without waiting for the client; nothing else comes after those.
 */
export interface SocketHandlers<T> {
  /** The one path with sockets: elsewhere a handshake is an ordinary request. Without it all have them. */
  readonly path?: string;
  opened(socket: PlatformSocket<T>): void;
  /** A text frame. */
  message(socket: PlatformSocket<T>, text: string): void;
  /** A binary frame; its content does not matter, matchd speaks text. */
  binary(socket: PlatformSocket<T>): void;
  /** The client has pinged. The platform's own answer is in the backlog already. */
  pinged(socket: PlatformSocket<T>): void;
  /** The client has answered a ping, yours or the platform's own. */
  ponged(socket: PlatformSocket<T>): void;
  /**
   * The client sends far more than it may, in fragments that make no message: to be terminated. On Node
   * a message is in more than FRAGMENTS_MAX of them. Bun shows none: on Linux, over UNREAD_INPUT_BYTES_MAX
   * wait to be read, or over UNREAD_INPUT_BYTES_LONG twice in a row; elsewhere it is never called.
   */
  flooded(socket: PlatformSocket<T>): void;
  /** The backlog has been written out. */
  drained(socket: PlatformSocket<T>): void;
  /** `code` is what the client sent or `close` was given; 1006 for everything else. */
  closed(socket: PlatformSocket<T>, code: number): void;
}

/** Of a server that upgrades nothing. */
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

/** What the service answers to a WebSocket handshake. With a refusal the connection ends. */
export type UpgradeDecision<T> =
  | { readonly accept: true; readonly protocol: string | null; readonly data: T }
  | { readonly accept: false; readonly response: Response };

export interface Peer {
  /** The address of the other end of the TCP connection, without port; IPv4 in dotted form. */
  readonly address: string;
}

/** Why a body is not taken: it is over `bodyBytesMax`, or did not come in its time. */
export type BodyFault = 'too large' | 'too slow';
/** Why a handshake on the sockets' path makes no socket. */
export type HandshakeFault = 'unsupported version' | 'malformed handshake';
/** `bad request`: nothing can be made of its head. */
export type Fault = BodyFault | HandshakeFault | 'bad request';

export interface ServeOptions<T> {
  readonly hostname: string;
  /** 0 asks for any free port. */
  readonly port: number;
  /**
   * Answers every request that is no WebSocket handshake, once it is here with the whole of its body:
   * nobody decides by what held when a head came. `arrayBuffer`, `text` or `json` give the body. Must
   * not reject. A streamed answer begins with a chunk that is there at once: Bun sends the head
   * together with it.
   */
  fetch(request: Request, peer: Peer): Response | Promise<Response>;
  /**
   * Answers a request that reaches neither `fetch` nor `upgrade`; its body is read by nobody. One that
   * cannot be understood comes as an empty GET of `http://unknown.invalid/`. Without `refuse` the
   * platform gives a bare answer itself.
   */
  readonly refuse?: (request: Request, peer: Peer, why: Fault) => Response | Promise<Response>;
  /**
   * Decides every WebSocket handshake, a GET of the sockets' path, at once: nothing may be awaited
   * before the upgrade. Malformed ones (no key, another version) go to `refuse`, so `opened` and
   * `closed` follow every acceptance.
   */
  upgrade(request: Request, peer: Peer): UpgradeDecision<T>;
  readonly sockets: SocketHandlers<T>;
  /** Headers of every answer, the platform's own too; names in lower case. An accepted handshake has none. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits: ServeLimits;
  /** Told what `fetch`, `upgrade` or a socket handler threw; without it nobody learns of it. */
  readonly failed?: (error: unknown) => void;
}

export interface ServeLimits {
  /** Largest WebSocket message taken, in bytes; larger ones close the socket with 1009. */
  readonly frameBytesMax: number;
  /** Largest HTTP body the platform reads, in bytes. The service's own, smaller limit answers 413. */
  readonly bodyBytesMax: number;
  /** A socket from which nothing came for so long is pinged, then dropped. In seconds. */
  readonly idleTimeoutS: number;
}

/** A socket with more backlog than this is dropped, whoever wrote it: the last net under the service's limits. */
export const BACKLOG_BYTES_MAX = 16 * 1024 * 1024;

/** Fragments of a message. Empty ones add nothing to its length, so that has no say in it. */
export const FRAGMENTS_MAX = 256;

/**
 * Bytes of a client that the system holds for the process, which reads them each turn of its event loop. A
 * client that keeps its rate never has as many there, and has half as many as it may send at once not for long.
 */
export const UNREAD_INPUT_BYTES_MAX = 1024 * 1024;
export const UNREAD_INPUT_BYTES_LONG = 128 * 1024;

/**
 * Of a body that is refused for its size so much is read and dropped, in bytes, and its connection goes
 * on. With a larger one it ends: else whoever sends on and on is listened to.
 */
export const DRAINED_BYTES_MAX = 16 * 1_024 * 1_024;

/** Time for a request's head to arrive; a connection that is slower is dropped. */
export const HEAD_TIMEOUT_S = 10;

/**
 * An HTTP connection on which nothing moves for so long is dropped: so streams send a heartbeat
 * sooner. Longer than the 60 s for which load balancers reuse a connection, lest they meet a close.
 */
export const HTTP_IDLE_TIMEOUT_S = 75;

export interface PlatformServer {
  readonly port: number;
  /** Stops taking connections; open ones stay. */
  stopListening(): Promise<void>;
  /** Ends once no body is awaited: those that came have reached `fetch`, the others `refuse`. */
  bodiesEnded(): Promise<void>;
  /** Closes what is still open, sockets with 1001, and frees the port. */
  close(): Promise<void>;
}

/** Thrown by `serve` when somebody else listens on the port. */
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
