/** The transposition table of American checkers: a fixed size; new entries replace old ones. */

/** Slots, a power of two; 1.25 MiB of them. */
const SLOTS = 1 << 16;
/** Pieces to move, the others, kings; side, bound, depth and value in one; the best move. */
const SLOT_LENGTH = 5;
const NOTE = 3;
const BEST = 4;

export interface Table {
  clear(): void;
  /** The position's entry, or -1. Valid until something is stored. */
  find(own: number, other: number, kings: number, side: number): number;
  note(slot: number): number;
  /** The mover's pieces after the move that was best. */
  best(slot: number): number;
  /** Stores a position's value in place of the previous entry. */
  store(own: number, other: number, kings: number, note: number, best: number): void;
}

export function makeTable(): Table {
  const slots = new Int32Array(SLOTS * SLOT_LENGTH);
  return {
    clear: () => slots.fill(0),
    find(own, other, kings, side) {
      const at = slotOf(own, other, kings, side);
      const isSame =
        slots[at] === own &&
        slots[at + 1] === other &&
        slots[at + 2] === kings &&
        (slots[at + NOTE]! & 1) === side;
      return isSame ? at : -1;
    },
    note: (slot) => slots[slot + NOTE]!,
    best: (slot) => slots[slot + BEST]!,
    store(own, other, kings, note, best) {
      const at = slotOf(own, other, kings, note & 1);
      slots[at] = own;
      slots[at + 1] = other;
      slots[at + 2] = kings;
      slots[at + NOTE] = note;
      slots[at + BEST] = best;
    },
  };
}

/** Multiplied by random odd numbers, so that similar positions are far apart. */
function slotOf(own: number, other: number, kings: number, side: number): number {
  let mixed = Math.imul(own, 0x9e3779b1) ^ Math.imul(other, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15) ^ kings, 0xc2b2ae35) + side;
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0x27d4eb2f);
  return (mixed >>> 16) * SLOT_LENGTH;
}
