/** Socket tests that apply to every subprotocol: each is run with `matchd.v1` and with `matchd.v2`. */

import { test as once } from 'bun:test';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Numbers } from '../../../sdk/src/frames/compact.ts';
import { shorten, spellOut } from '../../../sdk/src/frames/compact.ts';
import { compactFrame } from '../../contract/frames/compact-frames.ts';
import { SUBPROTOCOL, SUBPROTOCOL_2 } from '../../contract/messages.ts';

export type Subprotocol = typeof SUBPROTOCOL | typeof SUBPROTOCOL_2;

export const SUBPROTOCOLS: readonly Subprotocol[] = [SUBPROTOCOL, SUBPROTOCOL_2];

const spoken = new AsyncLocalStorage<Subprotocol>();

/** The subprotocol of this test's sockets; the newer one by default. */
export function spokenHere(): Subprotocol {
  return spoken.getStore() ?? SUBPROTOCOL_2;
}

/** Opens sockets with that subprotocol. */
export function speaking<T>(subprotocol: Subprotocol, run: () => T): T {
  return spoken.run(subprotocol, run);
}

type Body = () => void | Promise<unknown>;

/** A test for each subprotocol, with sockets that use it and show frames as `matchd.v1`. */
export function test(title: string, body: Body, timeoutMs?: number): void {
  for (const subprotocol of SUBPROTOCOLS) {
    once(`${title} (${subprotocol})`, () => speaking(subprotocol, body), timeoutMs);
  }
}

/** One end of a socket that reads and writes frames of `matchd.v1`, whatever its subprotocol. */
export interface Interpreter {
  /** The frames in a text, as texts. Throws for anything outside the contract. */
  read(text: string): string[];
  write(frame: object): string;
}

export function makeInterpreter(subprotocol: Subprotocol): Interpreter {
  if (subprotocol === SUBPROTOCOL) return { read: (text) => [text], write: JSON.stringify };
  const numbers: Numbers = new Map();
  return {
    read(text) {
      // Tests also relay texts that are no frames.
      if (!/^[[{]/.test(text)) return [text];
      const frame: unknown = JSON.parse(text);
      if (Array.isArray(frame)) compactFrame.parse(frame);
      return spellOut(numbers, frame).map((each) => {
        const { n: _, base: __, ...plain } = each as Record<string, unknown>;
        return JSON.stringify((each as { t: string }).t === 'state' ? plain : each);
      });
    },
    write: (frame) => JSON.stringify(shorten(numbers, frame as never)),
  };
}
