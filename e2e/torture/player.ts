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
  readonly over: Promise<Record<string, unknown>>;
  /** Has it been over? */
  isOver(): boolean;
  close(): void;
}

export interface PlayerOptions {
  readonly url: string;
  readonly token: string;
  readonly session: string;
  readonly seat: number;
  /** Chooses among legal actions. */
  choose(count: number): number;
  /** How long to think before a move, ms. */
  readonly thinkMs: number;
}

interface Frame {
  readonly t: string;
  readonly v: number;
  readonly prev: number;
  readonly [field: string]: unknown;
}

const RETRY_MS = 100;

interface Memory {
  token: string;
  seen: number;
  socket: WebSocket | null;
  /** The command that waits for its ack. */
  waiting: { readonly id: string; readonly action: unknown } | null;
  moves: number;
  done: boolean;
}

export function makePlayer(options: PlayerOptions): Player {
  const acked: AckedMove[] = [];
  const complaints: string[] = [];
  const memory: Memory = {
    token: options.token,
    seen: -1,
    socket: null,
    waiting: null,
    moves: 0,
    done: false,
  };
  let finish: (result: Record<string, unknown>) => void = () => {};
  const over = new Promise<Record<string, unknown>>((resolve) => {
    finish = resolve;
  });

  const send = (frame: object): void => {
    if (memory.socket?.readyState === WebSocket.OPEN) memory.socket.send(JSON.stringify(frame));
  };
  const act = (): void => {
    const { waiting } = memory;
    if (waiting !== null) send({ t: 'act', s: options.session, ...waiting });
  };
  const move = (legal: readonly unknown[]): void => {
    const action = legal[options.choose(legal.length)];
    memory.waiting = { id: `m${memory.moves++}`, action };
    setTimeout(act, options.thinkMs);
  };
  const look = (frame: Frame): void => {
    if (frame.v < memory.seen) complaints.push(`went back from ${memory.seen} to ${frame.v}`);
    memory.seen = frame.v;
    if (frame['turn'] === options.seat && memory.waiting === null) {
      move(frame['legal'] as readonly unknown[]);
    }
  };
  const end = (result: Record<string, unknown>): void => {
    memory.done = true;
    finish(result);
  };
  const onFrame = (frame: Frame): void => {
    switch (frame.t) {
      case 'welcome':
        memory.token = frame['resumeToken'] as string;
        act();
        return;
      case 'ack':
        if (memory.waiting?.id !== frame['id']) return;
        acked.push({ id: memory.waiting.id, v: frame.v, seat: options.seat, action: memory.waiting.action });
        memory.waiting = null;
        return;
      case 'reject':
        complaints.push(`rejected: ${JSON.stringify(frame)}`);
        return;
      case 'state':
        look(frame);
        if (frame['status'] === 'ended') end(frame['result'] as Record<string, unknown>);
        return;
      case 'update':
        if (frame.prev !== memory.seen) send({ t: 'sync', s: options.session });
        else look(frame);
        return;
      case 'presence':
        memory.seen = frame.v;
        return;
      case 'over':
        end(frame['result'] as Record<string, unknown>);
        return;
    }
  };
  const connect = (): void => {
    if (memory.done) return;
    const socket = new WebSocket(`${options.url.replace('http', 'ws')}/v1/socket`, [
      'matchd.v1',
      `token.${memory.token}`,
    ]);
    memory.socket = socket;
    socket.onmessage = (event) => onFrame(JSON.parse(String(event.data)) as Frame);
    socket.onclose = (event) => {
      if (event.code === 4401) complaints.push('token refused');
      memory.socket = null;
      setTimeout(connect, RETRY_MS);
    };
    socket.onerror = () => {};
  };
  connect();
  return {
    acked,
    complaints,
    over,
    isOver: () => memory.done,
    close() {
      memory.done = true;
      memory.socket?.close();
    },
  };
}
