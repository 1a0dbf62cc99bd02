/** A player of fight arena without a page, on a real socket with simulated delay. */

import { makeRandom } from '../../game/src/random.ts';
import { makeMasher } from '../../src/games/fight-arena/fight.test-kit.ts';
import type { AnyFrame, FightPlayer } from '../../src/testing/matches/fight-player.ts';
import { makeFightPlayer } from '../../src/testing/matches/fight-player.ts';

/** The one-way delay of a connection, in milliseconds. Nothing is lost or reordered. */
export interface Delay {
  readonly latencyMs: number;
  /** The random addition. */
  readonly jitterMs: number;
  /** The length of occasional pauses, and how often they occur, in 1,000 frames. */
  readonly stallMs: number;
  readonly stallsPerMille: number;
}

export const NO_DELAY: Delay = { latencyMs: 0, jitterMs: 0, stallMs: 0, stallsPerMille: 0 };

export interface FighterOptions {
  /** The service's address; with several nodes, the address for the next socket. */
  readonly url: string | (() => string);
  readonly token: string;
  readonly session: string;
  /** The seed of the inputs and network delays: both are the same in every run of one name. */
  readonly name: string;
  readonly delay?: Delay;
  /** The client's address, as a proxy states it. */
  readonly address?: string;
  /** Called with every `ticks` frame as it arrives. */
  onTicks?(frame: AnyFrame): void;
}

export interface E2eFighter {
  readonly player: FightPlayer;
  /** Resolves when the match is over and nothing is outstanding. */
  readonly done: Promise<AnyFrame>;
  /** How often it had to reconnect. */
  readonly reconnects: () => number;
  readonly bytes: { up: number; down: number };
  /** The last frames with their times, to investigate failures. */
  readonly recent: readonly string[];
  close(): void;
}

const POLL_MS = 4;
const RECONNECT_MS = 200;
const RECENT_MAX = 60;
/** How much of each frame is stored in `recent`. Characters. */
const RECENT_CHARS = 300;

export function openFighter(options: FighterOptions): E2eFighter {
  const { url, session, name, delay = NO_DELAY, address = '127.0.0.1' } = options;
  const chance = makeRandom(name, () => 'line', 0);
  const [bytes, recent] = [{ up: 0, down: 0 }, [] as string[]];
  const { promise: done, resolve } = Promise.withResolvers<AnyFrame>();
  let token = options.token;
  let socket: WebSocket | null = null;
  let reconnects = 0;
  let isClosed = false;
  const player = makeFightPlayer({
    session,
    masher: makeMasher(makeRandom(name, () => 'hands', 0)),
    roundTripMs: 2 * delay.latencyMs,
    now: () => Date.now(),
    send: (frame) => {
      const text = JSON.stringify(frame);
      const to = socket;
      if (to?.readyState !== WebSocket.OPEN) return false;
      bytes.up += text.length;
      up(() => {
        if (to.readyState === WebSocket.OPEN) to.send(text);
      });
      return true;
    },
  });
  const up = makeDelay(delay, chance.integer);
  const down = makeDelay(delay, chance.integer);

  const open = (): void => {
    const base = typeof url === 'string' ? url : url();
    const opened = openSocket(base, token, address);
    remember(recent, `= ${base}`);
    socket = opened;
    opened.onmessage = ({ data }) => {
      const text = String(data);
      down(() => {
        const frame = JSON.parse(text) as AnyFrame;
        remember(recent, text);
        if (frame.t === 'welcome') token = String(frame['resumeToken']);
        else if (frame['s'] === session) {
          if (frame.t === 'ticks') {
            bytes.down += text.length;
            options.onTicks?.(frame);
          }
          player.receive(frame);
        }
        if (player.result() !== null && player.isSynced()) resolve(frame);
      });
    };
    opened.onclose = () => {
      if (isClosed || player.result() !== null) return;
      reconnects += 1;
      setTimeout(open, RECONNECT_MS);
    };
  };
  open();
  const timer = setInterval(() => player.play(), POLL_MS);
  return {
    player,
    done,
    reconnects: () => reconnects,
    bytes,
    recent,
    close() {
      isClosed = true;
      clearInterval(timer);
      socket?.close();
    },
  };
}

function remember(recent: string[], what: string): void {
  recent.push(`${new Date().toISOString()} ${what.slice(0, RECENT_CHARS)}`);
  if (recent.length > RECENT_MAX) recent.shift();
}

function openSocket(url: string, token: string, address: string): WebSocket {
  return new WebSocket(`${url.replace('http', 'ws')}/v1/socket`, {
    protocols: ['matchd.v1', `token.${token}`],
    headers: { 'X-Forwarded-For': address },
    // Bun accepts options that browsers do not.
  } as never);
}

/** One direction of a connection: everything arrives in the order in which it was sent. */
function makeDelay(
  delay: Delay,
  integer: (below: number) => number,
): (deliver: () => void) => void {
  const { latencyMs, jitterMs, stallMs, stallsPerMille } = delay;
  let lastAt = 0;
  // Timers for the same millisecond fire in any order, so each sends the oldest frame.
  const inFlight: (() => void)[] = [];
  return (deliver) => {
    inFlight.push(deliver);
    const stall = integer(1_000) < stallsPerMille ? stallMs : 0;
    const at = Date.now() + latencyMs + integer(jitterMs + 1) + stall;
    lastAt = Math.max(lastAt, at);
    setTimeout(() => inFlight.shift()!(), Math.max(0, lastAt - Date.now()));
  };
}
