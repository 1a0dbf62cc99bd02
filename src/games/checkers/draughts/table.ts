/** The transposition table of draughts; the newest entry replaces others. */

/** Slots, a power of two; 1 MiB of them. */
const SLOTS = 1 << 16;
/** Both halves of the key, a note, and which move was best. */
const SLOT_LENGTH = 4;
const OTHER_KEY = 1;
const NOTE = 2;
const BEST = 3;

export interface Table {
  clear(): void;
  /** The position's entry, or -1. Valid until something is stored. */
  find(key: number, otherKey: number): number;
  note(slot: number): number;
  /** The mark of the move that was best. */
  best(slot: number): number;
  /** Stores a position's value in place of the previous entry. */
  store(key: number, otherKey: number, note: number, best: number): void;
}

export function makeTable(): Table {
  const slots = new Int32Array(SLOTS * SLOT_LENGTH);
  const slotOf = (key: number) => (key & (SLOTS - 1)) * SLOT_LENGTH;
  return {
    clear: () => slots.fill(0),
    find(key, otherKey) {
      const at = slotOf(key);
      const isSame = slots[at] === key && slots[at + OTHER_KEY] === otherKey;
      return isSame && slots[at + NOTE] !== 0 ? at : -1;
    },
    note: (slot) => slots[slot + NOTE]!,
    best: (slot) => slots[slot + BEST]!,
    store(key, otherKey, note, best) {
      const at = slotOf(key);
      slots[at] = key;
      slots[at + OTHER_KEY] = otherKey;
      slots[at + NOTE] = note;
      slots[at + BEST] = best;
    },
  };
}
