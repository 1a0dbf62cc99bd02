/** Combines held inputs from all sources. A press shorter than a frame still counts. Pure. */

export interface Presses {
  /** Adds a press of a key, button or finger, as the game's mask of controls. */
  press(source: string, mask: number): void;
  release(source: string): void;
  /** Sets the input that a source holds; 0 for none. */
  hold(source: string, mask: number): void;
  /** The input for the next tick. */
  readonly mask: number;
  /** A tick has been played: presses that have ended are forgotten. */
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
