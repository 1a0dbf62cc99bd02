/** How edges are chosen: the bound, the draw by visits, and the edge that is played. */

import { describe, expect, test } from 'bun:test';
import { TEST_SEED } from '../../../src/testing/test-seed.ts';
import { makeRandom } from '../random.ts';
import { makeQuickRandom } from './quick-random.ts';
import type { Edge } from './tree.ts';
import { approximateLog, bestEdge, drawByVisits, edgesOf, makeNode, selectEdge } from './tree.ts';

const random = makeQuickRandom(makeRandom(`${TEST_SEED}`, () => 'tree', 0));

function edge(action: string, changes: Partial<Edge> = {}): Edge {
  const [made] = edgesOf(makeNode(), [action], true) as [Edge];
  return { ...made, available: 100, ...changes };
}

const choose = (...edges: readonly Edge[]) => selectEdge({ seat: 0, edges, random }).action;
const play = (...edges: readonly Edge[]) => bestEdge(edges, 0).action;

test('[G-SEARCH] the logarithm is at most 0.06 too small, and exact at powers of two', () => {
  for (let n = 1; n < 2 ** 31; n = Math.ceil(n * 1.01)) {
    const error = Math.log(n) - approximateLog(n);
    expect(error).toBeGreaterThan(-1e-12);
    expect(error).toBeLessThan(0.06);
  }
  for (let n = 1; n < 2 ** 31; n *= 2) expect(approximateLog(n)).toBeCloseTo(Math.log(n), 12);
});

describe('while it searches', () => {
  test('[G-SEARCH] an edge without visits comes first', () => {
    expect(choose(edge('good', { visits: 9, total: 9 }), edge('new'))).toBe('new');
  });

  test('[G-SEARCH] the better edge is chosen, unless it has had far more visits', () => {
    const good = edge('good', { visits: 50, total: 30 });
    expect(choose(edge('bad', { visits: 50, total: 20 }), good)).toBe('good');
    expect(choose(edge('bad', { visits: 2, total: 0.8 }), good)).toBe('bad');
  });

  test('[G-SEARCH] an edge that was rarely available is no more urgent than one that always was', () => {
    const steady = edge('steady', { visits: 10, total: 5, available: 1_000 });
    expect(choose(steady, edge('rare', { visits: 10, total: 5.1, available: 11 }))).toBe('steady');
  });

  test('[G-SEARCH] a proven loss is not visited', () => {
    const lost = edge('lost', { visits: 1, total: 1, proven: [0, 1] });
    expect(choose(lost, edge('open', { visits: 50, total: 1 }))).toBe('open');
  });
});

test(`[G-SEARCH] edges are drawn in proportion to their visits (seed ${TEST_SEED})`, () => {
  const edges = [edge('a', { visits: 1 }), edge('b'), edge('c', { visits: 3 })];
  const counts: Record<string, number> = { a: 0, b: 0, c: 0 };
  for (let n = 0; n < 8_000; n += 1) {
    counts[drawByVisits({ seat: 0, edges, random })!.action as string]! += 1;
  }
  expect(counts['b']).toBe(0);
  // Four standard deviations of 39.
  expect(Math.abs(counts['a']! - 2_000)).toBeLessThan(156);
  expect(drawByVisits({ seat: 0, edges: [edge('a')], random })).toBeNull();
});

describe('in the end', () => {
  const many = edge('many', { visits: 50, total: 20 });

  test('[G-SEARCH] the most visited edge is played, of equals the better one', () => {
    expect(play(edge('few', { visits: 25, total: 25 }), many)).toBe('many');
    expect(play(many, edge('better', { visits: 50, total: 21 }))).toBe('better');
  });

  test('[G-SEARCH] a proven win is played at once, a proven loss only if there is nothing else', () => {
    const won = edge('won', { visits: 1, total: 1, proven: [1, 0] });
    const lost = edge('lost', { visits: 90, total: 40, proven: [0, 1] });
    expect(play(many, lost, won)).toBe('won');
    expect(play(lost, many)).toBe('many');
    expect(play(edge('sooner', { visits: 3, proven: [0, 1] }), lost)).toBe('lost');
  });
});
