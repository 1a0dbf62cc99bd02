/** The short form of the torture test, for every run of the tests. */

import { expect, test } from 'bun:test';
import { torture } from './torture/torture.ts';

const ROUNDS = 2;
const MATCHES = 40;
const TEST_MS_MAX = 120_000;

test(
  '[P4][S7] SIGKILL in the middle of many matches loses no acknowledged move',
  async () => {
    const seed = Number(process.env['MATCHD_TEST_SEED'] ?? Date.now() % 1_000_000);
    const lines: string[] = [];
    const report = await torture({
      rounds: ROUNDS,
      matches: MATCHES,
      kills: 1,
      seed,
      say: (line) => lines.push(line),
    });
    const { acked, lost, twice, stuck, unverified, complaints } = report;
    const found = { seed, lost, twice, stuck, unverified, complaints };
    expect(found).toEqual({ seed, lost: 0, twice: 0, stuck: 0, unverified: 0, complaints: [] });
    expect(acked).toBeGreaterThan(ROUNDS * MATCHES * 5);
  },
  TEST_MS_MAX,
);
