/** A player who makes random legal moves, and stores every raw text from the server. */

import type { Random } from '../../game/src/random.ts';
import { SUBPROTOCOL, TOKEN_PROTOCOL_PREFIX } from '../../src/contract/messages.ts';

export interface Shown {
  readonly t: string;
  readonly v: number;
  readonly turn: number | null;
  /** In games of simultaneous moves: the seats that may act. */
  readonly acting?: readonly number[];
  readonly seat: number | null;
  readonly view: unknown;
  readonly legal?: readonly unknown[];
  readonly status?: string;
  /** For real-time games. */
  readonly ticks?: { readonly next: number; readonly at: string | null };
}

export interface RandomPlayer {
  /** Null only listens. */
  readonly seat: number | null;
  /** Everything received until the match was over. */
  readonly before: readonly string[];
  /** Resolves once this player has seen the end of the match. */
  readonly over: Promise<void>;
  close(): void;
}

export interface PlayerOptions {
  readonly port: number;
  readonly token: string;
  readonly session: string;
  /** Null only listens. */
  readonly seat: number | null;
  readonly random: Random;
  /** Chooses an action if `legal` is not finite. */
  readonly chooseFreely?: (view: unknown, random: Random) => unknown;
  /** Actions that are preferred when available, so that the match ends soon. */
  readonly prefers?: (action: unknown) => boolean;
  /** In a real-time game: the held input is 0 to this. */
  readonly maskMax?: number;
  /** Added to the match's entropy before the start. */
  readonly entropy?: string;
  /** Runs before each move; the player waits for it. */
  beforeMove?(): Promise<void>;
}

/** Between two messages: stays below the 20 a second of rule P5. */
const GAP_MS = 55;
/** Ticks per message in a real-time game: 50 ms of them. */
const TICKS_EACH = 3;
const TICKS_MS = 50;

/** Makes one move: from its decision until its result is shown. */
function makeMoving() {
  let [isMoving, acked, shown] = [false, Infinity, -1];
  return {
    /** False while another is in progress. */
    begin(): boolean {
      if (isMoving) return false;
      isMoving = true;
      return true;
    },
    receive({ t, v }: Shown): void {
      if (t === 'ack') acked = v;
      if (t === 'state' || t === 'update') shown = v;
      if (t === 'reject' || shown >= acked) [isMoving, acked] = [false, Infinity];
    },
  };
}

function mayAct({ seat }: PlayerOptions, { turn, acting }: Shown): boolean {
  return seat !== null && (acting?.includes(seat) ?? turn === seat);
}

function chooseAction(options: PlayerOptions, { legal, view }: Shown): unknown {
  const { random, chooseFreely, prefers = () => false } = options;
  const preferred = legal?.filter(prefers) ?? [];
  const choices = preferred.length > 0 ? preferred : legal;
  return choices ? choices[random.integer(choices.length)] : chooseFreely!(view, random);
}

/** Resolves once the match is shown and the entropy accepted. */
export function openRandomPlayer(options: PlayerOptions): Promise<RandomPlayer> {
  const { port, token, session } = options;
  const protocols = [SUBPROTOCOL, `${TOKEN_PROTOCOL_PREFIX}${token}`];
  const ws = new WebSocket(`ws://127.0.0.1:${port}/v1/socket`, protocols);
  const before: string[] = [];
  const end = Promise.withResolvers<void>();
  let moves = 0;
  const moving = makeMoving();
  let holding: ReturnType<typeof setTimeout> | undefined;
  let shown: Shown | null = null;
  const send = (frame: object): void => ws.send(JSON.stringify({ s: session, ...frame }));
  const move = async (): Promise<void> => {
    if (shown === null || !mayAct(options, shown) || !moving.begin()) return;
    await options.beforeMove?.();
    moves += 1;
    send({ t: 'act', id: `m${moves}`, action: chooseAction(options, shown) });
  };
  const hold = (from: number, maskMax: number): void => {
    const masks = Array<number>(TICKS_EACH).fill(options.random.integer(maskMax + 1));
    send({ t: 'in', from, masks });
    holding = setTimeout(() => hold(from + TICKS_EACH, maskMax), TICKS_MS);
  };
  /** Masks for as many ticks as have passed, from the next due tick on. */
  const startHolding = ({ status, ticks }: Shown): void => {
    clearTimeout(holding);
    if (status !== 'active' || ticks?.at == null || options.maskMax === undefined) return;
    const waitMs = Math.max(0, Date.parse(ticks.at) - Date.now());
    holding = setTimeout(hold, waitMs, ticks.next, options.maskMax);
  };
  const receive = (text: string): void => {
    const frame = JSON.parse(text) as Shown;
    if (frame.t === 'over') {
      clearTimeout(holding);
      end.resolve();
      return;
    }
    before.push(text);
    if (frame.t === 'state' || frame.t === 'update') shown = frame;
    moving.receive(frame);
    if (frame.t === 'state') startHolding(frame);
    // After a rejected shot, try another one.
    if (['state', 'update', 'reject'].includes(frame.t)) {
      setTimeout(() => move().catch(end.reject), GAP_MS);
    }
  };
  ws.addEventListener('close', ({ code }) => end.reject(new Error(`closed with ${code}`)));
  ws.addEventListener('message', ({ data }) => {
    try {
      receive(String(data));
    } catch (error) {
      end.reject(error);
    }
  });
  return new Promise((resolve, reject) => {
    ws.addEventListener('error', () => reject(new Error('The socket was refused')));
    let states = 0;
    ws.addEventListener('message', ({ data }) => {
      if ((JSON.parse(String(data)) as Shown).t !== 'state') return;
      states += 1;
      // Entropy is a record and so leads to another state: play must wait for it.
      if (states === 1 && options.entropy !== undefined)
        send({ t: 'entropy', value: options.entropy });
      else resolve({ seat: options.seat, before, over: end.promise, close: () => ws.close() });
    });
  });
}
