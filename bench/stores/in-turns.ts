/** Variants of one thing, measured in turns and shown next to the first of them. */

import { makeNumber, makeSpread, makeTable, median } from '../report.ts';

export interface Titles {
  /** Of the variants. */
  readonly variants: string;
  /** Of what is measured. */
  readonly figure: string;
  readonly ratio: string;
}

/** A table of medians over the rounds, and of each variant's ratios to the first within a round. */
export async function measureInTurns(
  variants: ReadonlyMap<string, () => number | Promise<number>>,
  rounds: number,
  titles: Titles,
): Promise<string> {
  const figures = Array.from(variants, ([name, measure]) => ({
    name,
    measure,
    all: [] as number[],
  }));
  for (let round = 0; round < rounds; round++) {
    for (const { measure, all } of figures) all.push(await measure());
  }
  const first = figures[0]!.all;
  return makeTable(
    [
      { title: titles.variants, align: 'left' },
      { title: titles.figure, align: 'right' },
      { title: titles.ratio, align: 'right' },
    ],
    figures.map(({ name, all }) => [
      name,
      makeNumber(median(all)),
      makeSpread(all.map((each, round) => each / first[round]!)),
    ]),
  );
}
