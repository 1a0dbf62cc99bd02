/** A persistent player: reconnects, resumes, and repeats what was not acknowledged. */

import type { AckedMove, LoggedMove } from '../../src/testing/matches/histories.ts';

export interface Player {
  readonly acked: readonly AckedMove[];
  /** Moves that were shown to them, their own and the others'. */
  readonly shown: readonly LoggedMove[];
  /** The last frames in both directions, with times, for the investigation of a finding. */
  readonly recent: readonly string[];
  /** How often a new socket knew less than the one before: a node that is behind. */
  behind(): number;
  /** Errors in the server's frames; empty if there were none. */
  readonly complaints: readonly string[];
  /** The result, once the match is over. */
  readonly over: Promise<Result>;
  isOver(): boolean;
  /** Whether their last command is neither acknowledged nor refused yet. */
  isWaiting(): boolean;
  close(): void;
}

export interface PlayerOptions {
  /** The service's address; with several nodes, the next socket's. */
  readonly url: string | (() => string);
  readonly token: string;
  readonly session: string;
  readonly seat: number;
  /** Chooses among that many legal actions. */
  choose(count: number): number;
  /** How long to think before a move, ms. */
  readonly thinkMs: number;
  /** The player's apparent address: the server limits each address to 200 sockets (rule P5). */
  readonly address: string;
  /** How long a socket may answer no ping before it is given up; absent: never. ms. */
  readonly silenceMsMax?: number;
  /** At each ack; `sentAt`: when the command was sent for the last time. By `performance.now`. */
  onAck?(sentAt: number): void;
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
const RECENT_MAX = 40;
/** Refusals that mean: once more with the same id. */
const PASSING: readonly unknown[] = ['unavailable', 'busy'];
/** Nothing is wrong with these ends of a socket; others say that the player did something wrong. */
const isFair = (code: number): boolean => code < 4000;

/** All that a player has in mind. */
interface Mind {
  readonly options: PlayerOptions;
  readonly acked: AckedMove[];
  readonly shown: LoggedMove[];
  readonly recent: string[];
  readonly complaints: string[];
  behind: number;
  token: string;
  /** Version of the last frame seen. */
  seen: number;
  socket: WebSocket | null;
  /** The command that waits for its ack. */
  waiting: { readonly id: string; readonly action: unknown } | null;
  /** When it was sent for the last time. */
  sentAt: number;
  /** The version of the last move that was acknowledged. */
  ackedV: number;
  /** The last frame that said whose turn it is. */
  turnFrame: Frame | null;
  /** Whether the current socket has been welcomed. Before that it accepts no commands. */
  isWelcome: boolean;
  /** Whether the current socket has shown a state that is not older than the known one. */
  isGreeted: boolean;
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
    shown: [],
    recent: [],
    complaints: [],
    behind: 0,
    token: options.token,
    seen: -1,
    socket: null,
    waiting: null,
    sentAt: 0,
    ackedV: -1,
    turnFrame: null,
    isWelcome: false,
    isGreeted: false,
    moves: 0,
    isOver: false,
    isClosed: false,
    finish,
  };
  connect(mind);
  return {
    acked: mind.acked,
    shown: mind.shown,
    recent: mind.recent,
    behind: () => mind.behind,
    complaints: mind.complaints,
    over,
    isOver: () => mind.isOver,
    isWaiting: () => mind.waiting !== null,
    close() {
      mind.isClosed = true;
      mind.socket?.close();
    },
  };
}

function connect(mind: Mind): void {
  if (mind.isClosed) return;
  const { url, address, silenceMsMax } = mind.options;
  const base = typeof url === 'string' ? url : url();
  const options = {
    protocols: ['matchd.v1', `token.${mind.token}`],
    headers: { 'X-Forwarded-For': address },
  };
  // Bun's client accepts headers; the DOM's type, used here, does not have them.
  const socket = new WebSocket(
    `${base.replace('http', 'ws')}/v1/socket`,
    options as unknown as string[],
  );
  mind.socket = socket;
  remember(mind, `= ${base}`);
  mind.isWelcome = false;
  mind.isGreeted = false;
  let heardAt = performance.now();
  socket.onmessage = (event) => {
    heardAt = performance.now();
    if (mind.socket !== socket) return;
    const frame = JSON.parse(String(event.data)) as Frame;
    if (frame.t !== 'pong')
      remember(mind, `< ${frame.t} ${frame.prev} ${frame.v} ${frame['turn']}`);
    onFrame(mind, frame);
  };
  socket.onerror = () => {};
  const watch =
    silenceMsMax === undefined
      ? undefined
      : setInterval(() => {
          if (performance.now() - heardAt > silenceMsMax) lose();
          else send(mind, { t: 'ping', n: 1 });
        }, silenceMsMax / 3);
  const lose = (): void => {
    clearInterval(watch);
    if (mind.socket !== socket) return;
    mind.socket = null;
    socket.close();
    setTimeout(connect, RETRY_MS, mind);
  };
  socket.onclose = ({ code, reason }) => {
    if (mind.socket === socket && !isFair(code)) mind.complaints.push(`closed: ${code} ${reason}`);
    lose();
  };
}

function remember({ recent }: Mind, what: string): void {
  recent.push(`${new Date().toISOString()} ${what}`);
  if (recent.length > RECENT_MAX) recent.shift();
}

function send(mind: Mind, frame: object): void {
  if (!('n' in frame)) remember(mind, `> ${JSON.stringify(frame)}`);
  if (mind.socket?.readyState === WebSocket.OPEN) mind.socket.send(JSON.stringify(frame));
}

function sendWaiting(mind: Mind): void {
  if (mind.waiting === null || !mind.isWelcome) return;
  mind.sentAt = performance.now();
  send(mind, { t: 'act', s: mind.options.session, ...mind.waiting });
}

function onFrame(mind: Mind, frame: Frame): void {
  switch (frame.t) {
    case 'welcome':
      mind.token = frame['resumeToken'] as string;
      mind.isWelcome = true;
      sendWaiting(mind);
      return;
    case 'ack':
      acknowledged(mind, frame);
      return;
    case 'reject':
      if (PASSING.includes(frame['code'])) setTimeout(sendWaiting, RETRY_MS, mind);
      else mind.complaints.push(`rejected: ${JSON.stringify(frame)}`);
      return;
    case 'state':
      if (mind.isGreeted || frame.v >= mind.seen) greet(mind, frame);
      else mind.behind += 1;
      if (frame['status'] === 'ended') end(mind, frame);
      return;
    case 'update':
    case 'presence':
      if (frame.t === 'update') show(mind, frame);
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
  mind.ackedV = frame.v;
  mind.options.onAck?.(mind.sentAt);
  // The ack of a command repeated over a new socket comes after a state with its effect.
  if (mind.turnFrame !== null && mind.turnFrame.v > frame.v) think(mind, mind.turnFrame);
}

/** Updates of a draw or a resignation bring no action. */
function show(mind: Mind, { v, seat, action }: Frame): void {
  if (typeof seat === 'number' && action != null) mind.shown.push({ v, seat, action });
}

function greet(mind: Mind, frame: Frame): void {
  mind.isGreeted = true;
  look(mind, frame);
}

/** Takes a frame in. */
function look(mind: Mind, frame: Frame): void {
  if (frame.v < mind.seen) mind.complaints.push(`went back from ${mind.seen} to ${frame.v}`);
  mind.seen = frame.v;
  if ('turn' in frame) mind.turnFrame = frame;
  think(mind, frame);
}

/** Moves if it is this player's turn by a frame, and nothing of theirs is outstanding. */
function think(mind: Mind, frame: Frame): void {
  const { seat, choose, thinkMs } = mind.options;
  const legal = frame['legal'] as readonly unknown[] | undefined;
  const acting = frame['acting'] as readonly number[] | undefined;
  const mayAct = acting?.includes(seat) ?? frame['turn'] === seat;
  if (!mayAct || mind.waiting !== null || legal === undefined) return;
  // From before their own move, whose ack has come already: the update follows.
  if (frame.v < mind.ackedV) return;
  mind.waiting = { id: `m${mind.moves++}`, action: legal[choose(legal.length)] };
  setTimeout(sendWaiting, thinkMs, mind);
}

function end(mind: Mind, frame: Frame): void {
  mind.isOver = true;
  mind.finish(frame['result'] as Result);
}
