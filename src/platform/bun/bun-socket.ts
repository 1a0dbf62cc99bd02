/** One WebSocket of Bun's server as the service sees it. */

import type { ServerWebSocket } from 'bun';
import type { SweptSocket } from '../idle-sweep.ts';
import type { PlatformSocket } from '../platform.ts';

const NO_TEXTS: readonly string[] = [];

/** Sent for what breaks on our side: RFC 6455's "unexpected condition". */
const CODE_INTERNAL_ERROR = 1011;

/** A class, for there is one a connection: shared methods, no closures. */
export class BunSocket<T> implements PlatformSocket<T>, SweptSocket {
  readonly data: T;
  silentVisits = 0;
  /** Set by every frame that comes in; the sweep takes it back. */
  heard = true;
  /** What `flush` is to send: kept here so that `send` makes no closure. */
  pending: readonly string[] = NO_TEXTS;
  /** Bun makes its socket after ours, within the upgrade. */
  private ws: ServerWebSocket<BunSocket<T>> | null = null;

  constructor(data: T) {
    this.data = data;
  }

  attach(ws: ServerWebSocket<BunSocket<T>>): void {
    this.ws = ws;
  }

  /** Bun ignores what is sent after the end, and joins what is sent within `cork` into one write. */
  send(texts: readonly string[]): void {
    const { ws } = this;
    if (ws === null) return;
    if (texts.length === 1) {
      ws.sendText(texts[0]!);
      return;
    }
    this.pending = texts;
    ws.cork(flush);
    this.pending = NO_TEXTS;
  }

  backlogBytes(): number {
    return this.ws?.getBufferedAmount() ?? 0;
  }

  close(code: number, reason: string): void {
    this.ws?.close(code, reason);
  }

  terminate(): void {
    this.ws?.terminate();
  }

  /** A handler threw: nothing it was in the middle of can be trusted to go on. */
  fail(): void {
    this.close(CODE_INTERNAL_ERROR, '');
  }

  ping(): void {
    this.ws?.ping();
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
