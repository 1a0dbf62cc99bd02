/** Figures merge in any order and grouping, and are read back unchanged from their text. */

import { expect, test } from 'bun:test';
import * as fc from 'fast-check';
import {
  COUNTS,
  type Figures,
  GAUGES,
  makeFigures,
  mergeNodes,
  mergeTimes,
  parseFigures,
  printFigures,
  TIMINGS,
  timingOf,
} from './figures.ts';
import {
  addTo,
  BUCKETS,
  boundOf,
  bucketOf,
  countOf,
  makeHistogram,
  quantileOf,
} from './histogram.ts';

const durations = fc.array(fc.double({ min: 0, max: 3e6, noNaN: true }), { maxLength: 40 });

const anyFigures: fc.Arbitrary<Figures> = fc
  .record({
    counts: fc.array(fc.nat(99), { minLength: COUNTS.length, maxLength: COUNTS.length }),
    gauges: fc.array(fc.nat(99), { minLength: GAUGES.length, maxLength: GAUGES.length }),
    timings: fc.array(durations, { minLength: TIMINGS.length, maxLength: TIMINGS.length }),
  })
  .map(({ counts, gauges, timings }) => {
    const figures = makeFigures();
    for (const [i, name] of COUNTS.entries()) figures.counts[name] = counts[i]!;
    for (const [i, name] of GAUGES.entries()) figures.gauges[name] = gauges[i]!;
    for (const [i, name] of TIMINGS.entries()) {
      for (const ms of timings[i]!) timingOf(figures, name)[bucketOf(ms)]! += 1;
    }
    return figures;
  });

test('[D14] a bucket contains its durations, and each is wider than the one before', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (ms) => {
      const bucket = bucketOf(ms);
      expect(bucket).toBeLessThan(BUCKETS);
      if (bucket < BUCKETS - 1) expect(ms).toBeLessThanOrEqual(boundOf(bucket) * (1 + 1e-12));
      if (bucket > 0) expect(ms).toBeGreaterThan(boundOf(bucket - 1) * (1 - 1e-12));
    }),
  );
  expect([0, -1, NaN].map(bucketOf)).toEqual([0, 0, 0]);
  expect(bucketOf(Infinity)).toBe(BUCKETS - 1);
});

test('[D14] quantiles of merged histograms are those of all durations, to within 10 %', () => {
  const ms = fc.double({ min: 0.1, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.array(ms, { maxLength: 30 }), { minLength: 1 }), (parts) => {
      const sum = makeHistogram();
      for (const part of parts) {
        const each = makeHistogram();
        for (const one of part) each[bucketOf(one)]! += 1;
        addTo(sum, each);
      }
      const all = parts.flat().sort((a, b) => a - b);
      expect(countOf(sum)).toBe(all.length);
      for (const q of [0.5, 0.99]) {
        const found = quantileOf(sum, q);
        if (all.length === 0) expect(found).toBeNull();
        else {
          const exact = all[Math.max(1, Math.ceil(all.length * q)) - 1]!;
          expect(Math.abs(found! / exact - 1)).toBeLessThan(0.1);
        }
      }
    }),
  );
});

test('[D14] merging gives the same result in every order and grouping, over nodes and over time', () => {
  for (const merge of [mergeNodes, mergeTimes]) {
    fc.assert(
      fc.property(anyFigures, anyFigures, anyFigures, (a, b, c) => {
        const all = printFigures(merge([a, b, c]));
        expect(printFigures(merge([c, a, b]))).toBe(all);
        expect(printFigures(merge([merge([a, b]), c]))).toBe(all);
        expect(printFigures(merge([a, makeFigures(), b, c]))).toBe(all);
      }),
    );
  }
});

test('[D14] players of several nodes add up, matches that all nodes count do not; over time the maximum counts', () => {
  const at = (players: number, matches: number): Figures => {
    const figures = makeFigures();
    figures.gauges.playersConnected = players;
    figures.gauges.matchesInPlay = matches;
    return figures;
  };
  expect(mergeNodes([at(3, 5), at(4, 5)]).gauges).toEqual({
    playersConnected: 7,
    matchesInPlay: 5,
  });
  expect(mergeTimes([at(7, 5), at(2, 9)]).gauges).toEqual({
    playersConnected: 7,
    matchesInPlay: 9,
  });
});

test('[D14] figures are read back from their text; unknown fields of another version are ignored', () => {
  fc.assert(
    fc.property(anyFigures, (figures) => {
      const text = printFigures(figures);
      expect(printFigures(parseFigures(text))).toBe(text);
    }),
  );
  const odd = parseFigures('{"new":7,"failed":"x","moves":[3,2,-1,5,999,1,4],"limited":2}');
  expect(printFigures(odd)).toBe('{"limited":2,"moves":[3,2]}');
  expect(printFigures(makeFigures())).toBe('{}');
});
