/** A player who never gives up: reconnects, resumes, and repeats what was not acknowledged. */

/** A move that was acknowledged, as the player remembers it. */
export interface AckedMove {
  readonly id: string;
  readonly v: number;
  readonly seat: number;
  readonly action: unknown;
}

export interface Player {
  readonly acked: readonly AckedMove[];
  /** What was wrong with what the server said; empty when all was well. */
  readonly complaints: readonly string[];
  /** The result, once the match is over. */
  readonly over: Promise<Result>;
  isOver(): boolean;
  close(): void;
}

export interface PlayerOptions {
  readonly url: string;
  readonly token: string;
  readonly session: string;
  readonly seat: number;
  /** Chooses among so many legal actions. */
  choose(count: number): number;
  /** How long to think before a move, ms. */
  readonly thinkMs: number;
  /** Where the player seems to be: the server holds each address to 200 sockets (rule P5). */
  readonly address: string;
}

type Result = Readonly<Record<string, unknown>>;

interface Frame {
  readonly t: string;
  readonly v: number;
  readonly prev: number;
  readonly [field: string]: unknown;
}

/** Wait before a lost socket is opened again, ms. */
const RETRY_MS = 100;

/** All that a player has in mind. */
interface Mind {
  readonly options: PlayerOptions;
  readonly acked: AckedMove[];
  readonly complaints: string[];
  token: string;
  /** Version of the last frame seen. */
  seen: number;
  socket: WebSocket | null;
  /** The command that waits for its ack. */
  waiting: { readonly id: string; readonly action: unknown } | null;
  moves: number;
  isOver: boolean;
  isClosed: boolean;
  finish(result: Result): void;
}

export function makePlayer(options: PlayerOptions): Player {
  const { promise: over, resolve: finish } = Promise.withResolvers<Result>();
  const mind: Mind = {
    options,
    acked: [],
    complaints: [],
    token: options.token,
    seen: -1,
    socket: null,
    waiting: null,
    moves: 0,
    isOver: false,
    isClosed: false,
    finish,
  };
  connect(mind);
  return {
    acked: mind.acked,
    complaints: mind.complaints,
    over,
    isOver: () => mind.isOver,
    close() {
      mind.isClosed = true;
      mind.socket?.close();
    },
  };
}

function connect(mind: Mind): void {
  if (mind.isClosed) return;
  const url = `${mind.options.url.replace('http', 'ws')}/v1/socket`;
  const options = {
    protocols: ['matchd.v1', `token.${mind.token}`],
    headers: { 'X-Forwarded-For': mind.options.address },
  };
  // Bun's client takes headers; the DOM's type, which stands here, does not know of them.
  const socket = new WebSocket(url, options as unknown as string[]);
  mind.socket = socket;
  socket.onmessage = (event) => onFrame(mind, JSON.parse(String(event.data)) as Frame);
  socket.onerror = () => {};
  socket.onclose = (event) => {
    if (event.code === 4401) mind.complaints.push('token refused');
    mind.socket = null;
    setTimeout(connect, RETRY_MS, mind);
  };
}

function send(mind: Mind, frame: object): void {
  if (mind.socket?.readyState === WebSocket.OPEN) mind.socket.send(JSON.stringify(frame));
}

function sendWaiting(mind: Mind): void {
  if (mind.waiting !== null) send(mind, { t: 'act', s: mind.options.session, ...mind.waiting });
}

function onFrame(mind: Mind, frame: Frame): void {
  switch (frame.t) {
    case 'welcome':
      mind.token = frame['resumeToken'] as string;
      sendWaiting(mind);
      return;
    case 'ack':
      acknowledged(mind, frame);
      return;
    case 'reject':
      mind.complaints.push(`rejected: ${JSON.stringify(frame)}`);
      return;
    case 'state':
      look(mind, frame);
      if (frame['status'] === 'ended') end(mind, frame);
      return;
    case 'update':
    case 'presence':
      if (frame.prev !== mind.seen) send(mind, { t: 'sync', s: mind.options.session });
      else look(mind, frame);
      return;
    case 'over':
      end(mind, frame);
      return;
  }
}

function acknowledged(mind: Mind, frame: Frame): void {
  const { waiting } = mind;
  if (waiting === null || waiting.id !== frame['id']) return;
  mind.acked.push({ ...waiting, v: frame.v, seat: mind.options.seat });
  mind.waiting = null;
}

/** Takes a frame in and moves when it is this player's turn. */
function look(mind: Mind, frame: Frame): void {
  if (frame.v < mind.seen) mind.complaints.push(`went back from ${mind.seen} to ${frame.v}`);
  mind.seen = frame.v;
  const { seat, choose, thinkMs } = mind.options;
  const legal = frame['legal'] as readonly unknown[] | undefined;
  if (frame['turn'] !== seat || mind.waiting !== null || legal === undefined) return;
  mind.waiting = { id: `m${mind.moves++}`, action: legal[choose(legal.length)] };
  setTimeout(sendWaiting, thinkMs, mind);
}

function end(mind: Mind, frame: Frame): void {
  mind.isOver = true;
  mind.finish(frame['result'] as Result);
}
