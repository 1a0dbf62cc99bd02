/** In the page of `frames.ts`: how long a browser takes to read frames. */

import { decode } from 'cborg';

/** Microseconds for each: the median of some rounds. */
function readAll(
  frames: readonly (string | number[])[],
  warmUps: number,
  passes: number,
  rounds: number,
): number {
  const given = frames.map((each) => (typeof each === 'string' ? each : Uint8Array.from(each)));
  const pass = (): void => {
    for (const each of given) typeof each === 'string' ? JSON.parse(each) : decode(each);
  };
  for (let i = 0; i < warmUps; i += 1) pass();
  const times = Array.from({ length: rounds }, () => {
    const from = performance.now();
    for (let i = 0; i < passes; i += 1) pass();
    return ((performance.now() - from) * 1_000) / given.length / passes;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!;
}

Object.assign(globalThis, { readAll });
