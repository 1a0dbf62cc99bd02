/** One WebSocket of `ws`, as the service sees it. */

import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import type { SweptSocket } from '../idle-sweep.ts';
import { BACKLOG_BYTES_MAX, type PlatformSocket, type SocketHandlers } from '../platform.ts';
import { makeTextFrames } from './text-frames.ts';

const CODE_ABNORMAL = 1006;
/** For failures on our side: RFC 6455's "unexpected condition". */
const CODE_INTERNAL_ERROR = 1011;
const NOTHING = Buffer.alloc(0);
/** The code of the error with which `ws` refuses a message over `maxFragments`. */
const TOO_MANY_FRAGMENTS = 'WS_ERR_TOO_MANY_BUFFERED_PARTS';
/** What a client may still send after the end: messages in flight. */
const LINGER_BYTES_MAX = 32 * 1024;
/** Input chunk size for `ws`: it processes a whole chunk, even if the socket is closed at the first frame. */
const SLICE_BYTES = 2 * 1024;

export interface NodeSocketEvents<T> {
  readonly handlers: SocketHandlers<T>;
  failed(error: unknown): void;
  /** The service has finished with the socket; its connection may still be closing. */
  settled(socket: NodeSocket<T>): void;
}

/** A class, because there is one per connection: shared methods, few closures. */
export class NodeSocket<T> implements PlatformSocket<T>, SweptSocket {
  readonly data: T;
  silentVisits = 0;
  private readonly ws: WebSocket;
  private readonly tcp: Socket;
  private readonly events: NodeSocketEvents<T>;
  /** False from our `close` or `terminate`, or from the end of the connection, on. */
  private isOpen = true;
  private isWatchingBacklog = false;
  private bytesHeard = 0;
  private lingerBytes = 0;

  constructor(data: T, ws: WebSocket, tcp: Socket, events: NodeSocketEvents<T>) {
    this.data = data;
    this.ws = ws;
    this.tcp = tcp;
    this.events = events;
  }

  /** Listens to `ws`, then tells the service; nothing has been read from the socket before. */
  start(): void {
    const { ws, events } = this;
    this.readInSlices();
    ws.on('message', (data, isBinary) => this.take(data, isBinary));
    ws.on('ping', () => this.pinged());
    ws.on('pong', () => this.tell('ponged'));
    ws.on('close', (code) => this.settle(code));
    // Frames that `ws` refuses; it sends the close frame itself.
    ws.on('error', (error) => this.refused(error));
    try {
      events.handlers.opened(this);
    } catch (error) {
      this.fail(error);
    }
  }

  /**
   * Writes past `ws` to the socket: without compression `ws` has no queue to overtake, and one buffer and one
   * write cost less than its two writes a frame, even corked.
   */
  send(texts: readonly string[]): void {
    if (!this.isOpen || this.ws.readyState !== this.ws.OPEN) return;
    this.tcp.write(makeTextFrames(texts));
    if (this.tcp.writableLength > 0) this.watchBacklog();
  }

  backlogBytes(): number {
    return this.isOpen ? this.tcp.writableLength : 0;
  }

  close(code: number, reason: string): void {
    if (!this.isOpen) return;
    this.ws.close(code, reason);
    this.settle(code);
  }

  terminate(): void {
    if (!this.isOpen) return;
    this.ws.terminate();
    this.settle(CODE_ABNORMAL);
  }

  ping(): void {
    if (this.isOpen) this.ws.ping();
  }

  takeHeard(): boolean {
    const { bytesRead } = this.tcp;
    const heard = bytesRead !== this.bytesHeard;
    this.bytesHeard = bytesRead;
    return heard;
  }

  private take(data: RawData, isBinary: boolean): void {
    if (!this.isOpen) return;
    try {
      if (isBinary) this.events.handlers.binary(this);
      else this.events.handlers.message(this, data.toString());
    } catch (error) {
      this.fail(error);
    }
  }

  private refused(error: Error & { readonly code?: string }): void {
    if (this.isOpen && error.code === TOO_MANY_FRAGMENTS) this.tell('flooded');
    this.settle(CODE_ABNORMAL);
    // `ws` stops reading as well.
    this.tcp.removeAllListeners('data');
    this.tcp.on('data', ({ length }: Buffer) => this.mayLinger(length));
  }

  /** Between the connection and `ws`, which has listened to it since the handshake. */
  private readInSlices(): void {
    const { tcp } = this;
    const readers = tcp.listeners('data') as ((bytes: Buffer) => void)[];
    tcp.removeAllListeners('data');
    tcp.on('data', (chunk: Buffer) => {
      for (let at = 0; at < chunk.length && !tcp.destroyed; at += SLICE_BYTES) {
        const slice = chunk.subarray(at, at + SLICE_BYTES);
        if (!this.isOpen && !this.mayLinger(slice.length)) return;
        for (const read of readers) read.call(tcp, slice);
      }
    });
  }

  /** After the end the client may send its close frame, and messages in flight. */
  private mayLinger(bytes: number): boolean {
    this.lingerBytes += bytes;
    if (this.lingerBytes <= LINGER_BYTES_MAX) return true;
    this.tcp.destroy();
    return false;
  }

  /** `ws` has written its response. */
  private pinged(): void {
    if (!this.isOpen) return;
    if (this.tcp.writableLength > 0) this.watchBacklog();
    this.tell('pinged');
  }

  private tell(event: 'pinged' | 'ponged' | 'flooded' | 'drained'): void {
    if (!this.isOpen) return;
    try {
      this.events.handlers[event](this);
    } catch (error) {
      this.fail(error);
    }
  }

  /** A stream emits no `drain` while the backlog is small, so an empty write reports the end. */
  private watchBacklog(): void {
    if (this.tcp.writableLength > BACKLOG_BYTES_MAX) {
      this.terminate();
      return;
    }
    if (this.isWatchingBacklog) return;
    this.isWatchingBacklog = true;
    this.tcp.write(NOTHING, () => this.drain());
  }

  private drain(): void {
    this.isWatchingBacklog = false;
    if (!this.isOpen) return;
    if (this.tcp.writableLength > 0) {
      this.watchBacklog();
      return;
    }
    this.tell('drained');
  }

  /** A handler threw: its state is unknown. */
  private fail(error: unknown): void {
    this.events.failed(error);
    this.close(CODE_INTERNAL_ERROR, '');
  }

  /** Later, so that no call of the service on the socket re-enters through `closed`. */
  private settle(code: number): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.events.settled(this);
    queueMicrotask(() => {
      try {
        this.events.handlers.closed(this, code);
      } catch (error) {
        this.events.failed(error);
      }
    });
  }
}
