/** One WebSocket of Bun's server, as the service sees it. */

import type { ServerWebSocket } from 'bun';
import type { SweptSocket } from '../idle-sweep.ts';
import type { PlatformSocket } from '../platform.ts';

const NO_TEXTS: readonly string[] = [];

/**
 * A socket that is closed for what it sent gets its close frame after this delay, ms, and may send as much
 * meanwhile: messages in flight. A flood sends more.
 */
const LAST_MS = 20;
const LAST_FRAMES_MAX = 64;
const LAST_BYTES_MAX = 64 * 1024;

/** For failures on our side: RFC 6455's "unexpected condition". */
const CODE_INTERNAL_ERROR = 1011;

/** A class, because there is one per connection: shared methods, no closures. */
export class BunSocket<T> implements PlatformSocket<T>, SweptSocket {
  readonly data: T;
  silentVisits = 0;
  /** Set by every incoming frame; the sweep resets it. */
  heard = true;
  /** What `flush` will send: stored here so that `send` needs no closure. */
  pending: readonly string[] = NO_TEXTS;
  /** A handler is processing a frame: others of the same read may follow. */
  private isReading = false;
  /** The close frame to send in a moment. Nothing else is received or sent any more. */
  private ending: { readonly code: number; readonly reason: string } | null = null;
  private lastFrames = 0;
  private lastBytes = 0;
  /** Bun creates its socket after ours, within the upgrade. */
  private ws: ServerWebSocket<BunSocket<T>> | null = null;

  /** The other end of the TCP connection, as `peerName` spells it. */
  readonly peer: string;

  constructor(data: T, peer: string) {
    this.data = data;
    this.peer = peer;
  }

  attach(ws: ServerWebSocket<BunSocket<T>>): void {
    this.ws = ws;
  }

  /** Bun ignores sends after the end, and joins sends within `cork` into one write. */
  send(texts: readonly string[]): void {
    const { ws } = this;
    if (ws === null || this.ending !== null) return;
    if (texts.length === 1) {
      ws.sendText(texts[0]!);
      return;
    }
    this.pending = texts;
    ws.cork(flush);
    this.pending = NO_TEXTS;
  }

  backlogBytes(): number {
    return this.ending === null ? (this.ws?.getBufferedAmount() ?? 0) : 0;
  }

  /**
   * After its close frame Bun reads on for 4 s and cannot be made to drop the connection. So a client that is
   * closed for a frame waits a moment for the close frame: a client that floods is dropped without one.
   */
  close(code: number, reason: string): void {
    if (!this.isReading) {
      this.ws?.close(code, reason);
      return;
    }
    if (this.ending !== null) return;
    this.ending = { code, reason };
    setTimeout(() => this.ws?.close(code, reason), LAST_MS);
  }

  /** A frame of this many bytes arrived: `handle` is called unless the socket is ending. */
  read(bytes: number, handle: () => void): void {
    this.heard = true;
    if (this.ending !== null) {
      this.lastFrames += 1;
      this.lastBytes += bytes;
      if (this.lastFrames > LAST_FRAMES_MAX || this.lastBytes > LAST_BYTES_MAX) this.terminate();
      return;
    }
    this.isReading = true;
    handle();
    this.isReading = false;
  }

  /** It has been closed, and its close frame is still to be sent. */
  get isEnding(): boolean {
    return this.ending !== null;
  }

  terminate(): void {
    this.ws?.terminate();
  }

  /** A handler threw: its state is unknown. */
  fail(): void {
    this.close(CODE_INTERNAL_ERROR, '');
  }

  ping(): void {
    if (this.ending === null) this.ws?.ping();
  }

  takeHeard(): boolean {
    const { heard } = this;
    this.heard = false;
    return heard;
  }
}

function flush<T>(ws: ServerWebSocket<BunSocket<T>>): void {
  for (const text of ws.data.pending) ws.sendText(text);
}
