/**
 * Rounds of a ladder stored in a file, a line each, so that a later run continues where one ended.
 */

import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { CONTENDERS } from './ladder-contender.ts';
import type { Pair, Round, Terms } from './ladder-round.ts';

/** A stored round. */
export interface StoredRound {
  readonly pair: Pair;
  readonly number: number;
  readonly round: Round;
}

const contender = z.enum(CONTENDERS);
const times = z.array(z.tuple([z.int().min(0), z.int().min(1)]));
const levelTimes = z.object({ wall: times, cpu: times });
const storedShape = z.object({
  pair: z.tuple([contender, contender]),
  number: z.int().min(0),
  round: z.object({
    points: z.array(z.number().min(0).max(1)).min(1),
    record: z.string(),
    times: z.tuple([levelTimes, levelTimes]),
  }),
});

/** The rounds of a file, which is created if missing; or its fault. */
export function openLadderFile(file: string, terms: Terms): readonly StoredRound[] | string {
  const head = JSON.stringify(terms);
  try {
    if (!existsSync(file)) {
      writeFileSync(file, `${head}\n`);
      return [];
    }
    const text = readFileSync(file, 'utf8');
    // A run that was killed may have left half a line.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    const [first = '', ...lines] = whole.split('\n').slice(0, -1);
    if (first !== head) return `it is of another ladder: ${first.slice(0, HEAD_CHARS_MAX)}`;
    const rounds = lines.map((line) => storedShape.parse(JSON.parse(line)));
    if (whole !== text) truncateSync(file, Buffer.byteLength(whole));
    return rounds;
  } catch (error) {
    return (error as Error).message;
  }
}

/** So much of a foreign first line is shown. */
const HEAD_CHARS_MAX = 200;

export function appendRound(file: string, kept: StoredRound): void {
  appendFileSync(file, `${JSON.stringify(kept)}\n`);
}
