/** Held inputs from all sources. A press shorter than a picture still counts. Pure. */

export interface Presses {
  /** Something is pressed: a key, a button, a finger. Mask of controls, as the game has them. */
  press(source: string, mask: number): void;
  release(source: string): void;
  /** The input that a source holds; 0 for none. */
  hold(source: string, mask: number): void;
  /** The input for the next tick. */
  readonly mask: number;
  /** A tick has been played: finished presses are forgotten. */
  settle(): void;
}

export function makePresses(): Presses {
  const held = new Map<string, number>();
  let pressed = 0;
  const release = (source: string): void => void held.delete(source);
  return {
    press(source, mask) {
      held.set(source, mask);
      pressed |= mask;
    },
    release,
    hold(source, mask) {
      const before = held.get(source) ?? 0;
      if (mask === 0) release(source);
      else held.set(source, mask);
      pressed |= mask & ~before;
    },
    get mask() {
      let mask = pressed;
      for (const each of held.values()) mask |= each;
      return mask;
    },
    settle() {
      pressed = 0;
    },
  };
}
