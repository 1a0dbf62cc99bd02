/** A client's side of the chain of frames (P3): the frames of a session shown over one socket. */

import type { ReadFrame } from '../check/history.ts';

/** A frame's relation to the previous ones; the first three are faults of the service. */
export type Link = 'gap' | 'unfounded' | 'torn' | 'next' | 'known';

export interface Chain {
  /** Takes the frame, which has a `v`, and returns its relation. */
  take(frame: ReadFrame): Link;
}

export function makeChain(): Chain {
  /** The version shown last; null before the first state. */
  let shown: number | null = null;
  /** Records of ticks show nothing: the previous frame may be an old one. */
  let isByClock = false;
  return {
    take(frame) {
      const { t, v, prev } = frame;
      if (t === 'state') {
        isByClock = frame['ticks'] !== undefined;
        shown = v!;
        return 'next';
      }
      if (shown === null) return 'unfounded';
      if (v! <= shown) return 'known';
      const isTorn = prev! < shown && !isByClock;
      const link = prev! > shown ? 'gap' : isTorn ? 'torn' : 'next';
      shown = v!;
      return link;
    },
  };
}
