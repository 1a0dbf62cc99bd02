/** Sockets and requests between clients and nodes: in order, late, sometimes broken. */

import type { PlatformSocket } from '../../src/platform/platform.ts';
import type { Connection } from '../../src/socket/connection/connection.ts';
import type { Chance } from '../kernel/chance.ts';
import type { Timeline } from '../kernel/timeline.ts';
import type { SimNode } from './node.ts';

/** The events of a client's socket. */
export interface SocketEvents {
  /** Each text that the server sent, in order. */
  message(text: string): void;
  /** Once: no more events follow. 1006 is the code of a broken connection. */
  closed(code: number): void;
}

export interface ClientSocket {
  send(frame: object): void;
  close(): void;
  /** The client's network is gone: it knows at once, the server much later. */
  breakUnseen(): void;
}

/** One way between a client and a node, ms. */
const WAY_MS_MIN = 2;
const WAY_MS_MAX = 40;
/** A dead node sends nothing: its clients notice within this, ms. */
const SILENCE_MS_MAX = 5_000;
/** A server closes a silent socket after this time, ms. */
const IDLE_MS_MAX = 60_000;
const BROKEN = 1006;
/** An unanswered request is given up after this time, ms. */
const REQUEST_MS_MAX = 8_000;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Network {
  connect(node: SimNode, token: string, address: string, events: SocketEvents): ClientSocket;
  /** Null when no response comes: whether the request was done is unknown. */
  ask(node: SimNode, request: Request): Promise<Answer | null>;
}

export interface NetworkDeps {
  readonly timeline: Timeline;
  readonly chance: Chance;
  /** Called with every text at the moment a node sends it. */
  readonly sent: (text: string) => void;
}

export function makeNetwork(deps: NetworkDeps): Network {
  return {
    connect: (node, token, address, events) => connect(deps, node, token, address, events),
    ask: (node, request) => ask(deps, node, request),
  };
}

function way({ chance }: NetworkDeps): number {
  return chance.between(WAY_MS_MIN, WAY_MS_MAX);
}

/** One direction of a connection: first in, first out. */
function makePipe({ timeline, chance }: NetworkDeps): (run: () => void) => void {
  let lastAt = 0;
  return (run) => {
    lastAt = Math.max(lastAt, timeline.now() + chance.between(WAY_MS_MIN, WAY_MS_MAX));
    timeline.after(lastAt - timeline.now(), run);
  };
}

/** A connection from both ends: each learns late what the other does. */
interface Line {
  readonly deps: NetworkDeps;
  readonly node: SimNode;
  readonly events: SocketEvents;
  readonly up: (run: () => void) => void;
  readonly down: (run: () => void) => void;
  isClientOpen: boolean;
  server: PlatformSocket<Connection> | null;
}

function connect(
  deps: NetworkDeps,
  node: SimNode,
  token: string,
  address: string,
  events: SocketEvents,
): ClientSocket {
  const { timeline, chance } = deps;
  const line: Line = {
    deps,
    node,
    events,
    up: makePipe(deps),
    down: makePipe(deps),
    isClientOpen: true,
    server: null,
  };
  line.up(() => {
    if (node.life.isAlive()) node.life.enter(() => openServer(line, token, address));
    else line.down(() => endClient(line, BROKEN));
  });
  node.onDeath(() => {
    line.server = null;
    timeline.after(chance.fraction() * SILENCE_MS_MAX, () => endClient(line, BROKEN));
  });
  return {
    send(frame) {
      const text = JSON.stringify(frame);
      if (line.isClientOpen) line.up(() => node.life.enter(() => takeText(line, text)));
    },
    close() {
      line.isClientOpen = false;
      line.up(() => hangUp(line, 1000));
    },
    breakUnseen() {
      line.isClientOpen = false;
      timeline.after(chance.fraction() * IDLE_MS_MAX, () => hangUp(line, BROKEN));
    },
  };
}

function openServer(line: Line, token: string, address: string): void {
  const { deps, node, events, down } = line;
  const data = node.upgrade(token, address);
  if (data === null) {
    down(() => endClient(line, BROKEN));
    return;
  }
  const socket: PlatformSocket<Connection> = {
    data,
    send(texts) {
      if (line.server !== socket) return;
      for (const text of texts) {
        deps.sent(text);
        down(() => {
          if (line.isClientOpen) events.message(text);
        });
      }
    },
    backlogBytes: () => 0,
    close(code) {
      if (line.server !== socket) return;
      down(() => endClient(line, code));
      deps.timeline.after(0, () => endServer(line, code));
    },
    terminate: () => socket.close(BROKEN, ''),
    ping() {
      down(() => {
        if (line.isClientOpen) line.up(() => node.life.enter(() => takePong(line)));
      });
    },
  };
  line.server = socket;
  node.sockets.handlers.opened(socket);
}

function takeText({ node, server }: Line, text: string): void {
  if (server !== null) node.sockets.handlers.message(server, text);
}

function takePong({ node, server }: Line): void {
  if (server !== null) node.sockets.handlers.ponged(server);
}

function endClient(line: Line, code: number): void {
  if (!line.isClientOpen) return;
  line.isClientOpen = false;
  line.events.closed(code);
}

/** A paused process reads that the client is gone after everything that came before, its handshake included. */
function hangUp(line: Line, code: number): void {
  line.node.life.enter(() => endServer(line, code));
}

function endServer(line: Line, code: number): void {
  const { node, server } = line;
  line.server = null;
  if (server !== null) node.life.enter(() => node.sockets.handlers.closed(server, code));
}

function ask(deps: NetworkDeps, node: SimNode, request: Request): Promise<Answer | null> {
  const { timeline } = deps;
  return new Promise((resolve) => {
    timeline.after(REQUEST_MS_MAX, () => resolve(null));
    timeline.after(way(deps), () => {
      if (!node.isListening()) {
        timeline.after(way(deps), () => resolve(null));
        return;
      }
      node.life.enter(() => {
        void node.fetch(request).then(async (response) => {
          const { status, headers } = response;
          const text = await response.text();
          // A sender that has died meanwhile has not sent it.
          if (!node.life.isAlive()) return;
          timeline.after(way(deps), () => resolve({ status, headers, text }));
        });
      });
    });
  });
}
