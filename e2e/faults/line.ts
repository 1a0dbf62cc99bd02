/** A TCP line between two processes that can be cut, held half-open, slowed down and led elsewhere. */

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

export interface Line {
  /** The port for the near end, on 127.0.0.1. */
  readonly port: number;
  /** Connections that are open now. */
  readonly size: number;
  /** Breaks every connection, and refuses new ones until it is fixed. */
  cut(): void;
  /**
   * From now on nothing arrives, neither bytes nor the end of a connection, without a notice. When
   * it is fixed all of it arrives late, as after a network outage.
   */
  hold(): void;
  /** The delay in each direction from now on. Milliseconds. */
  slow(delayMs: number): void;
  mend(): void;
  /** New connections lead to this port; open ones are broken. */
  leadTo(port: number): void;
  close(): Promise<void>;
}

/** One direction of one connection. */
interface Flow {
  readonly to: Socket;
  /** Data in transit, in order; null is the end. */
  readonly items: { readonly chunk: Buffer | null; readonly at: number }[];
  timer: ReturnType<typeof setTimeout> | null;
}

interface LineState {
  readonly pairs: Set<Pair>;
  target: number;
  condition: 'whole' | 'cut' | 'held';
  delayMs: number;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  readonly flows: readonly Flow[];
}

/** Opens a line to a port of this machine. `port` is where it listens; 0 for any. */
export async function openLine(target: number, port = 0): Promise<Line> {
  const state: LineState = { pairs: new Set(), target, condition: 'whole', delayMs: 0 };
  const server = createServer((near) => join(state, near));
  await listen(server, port);
  return {
    port: (server.address() as AddressInfo).port,
    get size() {
      return state.pairs.size;
    },
    cut() {
      state.condition = 'cut';
      breakAll(state);
    },
    hold() {
      state.condition = 'held';
    },
    slow(delayMs) {
      state.delayMs = delayMs;
    },
    mend() {
      state.condition = 'whole';
      state.delayMs = 0;
      for (const { flows } of state.pairs) for (const flow of flows) pump(state, flow);
    },
    leadTo(next) {
      state.target = next;
      breakAll(state);
    },
    close() {
      breakAll(state);
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

function breakAll(state: LineState): void {
  for (const { near, far } of state.pairs) {
    near.resetAndDestroy();
    far.resetAndDestroy();
  }
  state.pairs.clear();
}

function join(state: LineState, near: Socket): void {
  near.on('error', () => {});
  if (state.condition === 'cut') {
    near.resetAndDestroy();
    return;
  }
  const far = connect(state.target, '127.0.0.1');
  far.on('error', () => {});
  near.setNoDelay(true);
  far.setNoDelay(true);
  const out = makeFlow(far);
  const back = makeFlow(near);
  const pair: Pair = { near, far, flows: [out, back] };
  state.pairs.add(pair);
  carry(state, near, out);
  carry(state, far, back);
  const forget = () => {
    if (near.destroyed && far.destroyed) state.pairs.delete(pair);
  };
  near.on('close', forget);
  far.on('close', forget);
}

function makeFlow(to: Socket): Flow {
  return { to, items: [], timer: null };
}

function carry(state: LineState, from: Socket, flow: Flow): void {
  from.on('data', (chunk) => put(state, flow, chunk));
  from.on('close', () => put(state, flow, null));
}

function put(state: LineState, flow: Flow, chunk: Buffer | null): void {
  const before = flow.items.at(-1)?.at ?? 0;
  // Bytes stay in order when a delay ends.
  flow.items.push({ chunk, at: Math.max(before, performance.now() + state.delayMs) });
  pump(state, flow);
}

/** Delivers what is due. */
function pump(state: LineState, flow: Flow): void {
  if (flow.timer !== null) clearTimeout(flow.timer);
  flow.timer = null;
  while (state.condition === 'whole' && flow.items.length > 0) {
    const waitMs = flow.items[0]!.at - performance.now();
    if (waitMs > 0) {
      flow.timer = setTimeout(pump, waitMs, state, flow);
      return;
    }
    const { chunk } = flow.items.shift()!;
    if (flow.to.destroyed) continue;
    if (chunk === null) flow.to.end();
    else flow.to.write(chunk);
  }
}
