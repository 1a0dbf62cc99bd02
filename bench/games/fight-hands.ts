/** Players of the fight benchmarks: what they press is made beforehand, and sent ahead of its time. */

import { makeRandom } from '../../game/src/random.ts';
import { dueTickAt } from '../../game/src/tick-game.ts';
import { makeMasher } from '../../src/games/fight-arena/fight.test-kit.ts';
import { SEND_TICKS } from '../../src/games/ticks/rollback.ts';
import { preciseNow } from './fight-lateness.ts';

export const RULES = { ticksPerSecond: 60 };
/** How often every player checks the clock, ms. */
const LOOK_MS = 1_000 / 60;
/** How early masks are sent, so that no tick has to wait for them. */
const AHEAD_TICKS = 9;
/** Made for one player; then it begins again. */
const PIECE_TICKS = 6_000;
/** How many players are created, and distributed over all seats. */
const PIECES = 61;

/** As a client sends it: 3 masks when something has changed, 4 when nothing has. */
interface HandFrame {
  readonly from: number;
  readonly masks: readonly number[];
}

export interface Hand {
  readonly room: number;
  readonly seat: 0 | 1;
  readonly frames: readonly HandFrame[];
  /** The next frame, and how often all of them have been sent. */
  next: number;
  turns: number;
}

export interface Hands {
  /** When tick 0 of a room was due, ms since 1970; null while play is paused. */
  zeroAt(room: number): number | null;
  send(hand: Hand, from: number, masks: readonly number[]): void;
}

/** Two players per room, each checking at their own times. Returns a function that stops them. */
export function startHands(rooms: number, { zeroAt, send }: Hands): () => void {
  const hands = makeHands(rooms);
  const startedAt = preciseNow();
  let looked = 0;
  const look = (hand: Hand, now: number): void => {
    const zero = zeroAt(hand.room);
    if (zero === null) return;
    const dueTick = dueTickAt(RULES, zero, now);
    for (;;) {
      const { from, masks } = hand.frames[hand.next]!;
      const start = hand.turns * PIECE_TICKS + from;
      if (start + masks.length > dueTick + AHEAD_TICKS) return;
      if (start >= dueTick) send(hand, start, masks);
      hand.next = (hand.next + 1) % hand.frames.length;
      if (hand.next === 0) hand.turns += 1;
    }
  };
  const timer = setInterval(() => {
    const now = preciseNow();
    const target = Math.floor(((now - startedAt) / LOOK_MS) * hands.length);
    // After a stall everybody looks once.
    looked = Math.max(looked, target - hands.length);
    for (; looked < target; looked += 1) look(hands[looked % hands.length]!, now);
  }, 1);
  return () => clearInterval(timer);
}

/** Players of one room, and of consecutive rooms, are not in step. */
function makeHands(rooms: number): Hand[] {
  const chance = makeRandom('fight-hands', () => '', 0);
  const pieces = Array.from({ length: PIECES }, () => makeFrames(makeMasher(chance)));
  return ([0, 1] as const).flatMap((seat) =>
    Array.from({ length: rooms }, (_, room) => {
      const frames = pieces[(room * 2 + seat * 7) % PIECES]!;
      return { room, seat, frames, next: 0, turns: 0 };
    }),
  );
}

function makeFrames(masher: () => number): HandFrame[] {
  const masks = Array.from({ length: PIECE_TICKS }, masher);
  const frames: HandFrame[] = [];
  for (let from = 0; from < PIECE_TICKS; ) {
    const idle = masks.slice(from, from + SEND_TICKS + 1);
    const isIdle = idle.every((mask) => mask === masks[from - 1]);
    const sent = isIdle ? idle : idle.slice(0, SEND_TICKS);
    frames.push({ from, masks: sent });
    from += sent.length;
  }
  return frames;
}
