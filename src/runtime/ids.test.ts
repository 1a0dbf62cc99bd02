/** Ids: their form, their order, and their uniqueness. Room codes, too. */

import { describe, expect, test } from 'bun:test';
import { makeManualClock } from '../testing/manual-clock.ts';
import { makeSeededRandomness } from '../testing/seeded-randomness.ts';
import { isId, makeIds } from './ids.ts';
import { makeRoomCode, parseRoomCode } from './sessions/room-code.ts';
import { systemRandomness } from './system.ts';

describe('[H11] ids', () => {
  test('[H11] an id is a prefix and 26 characters without look-alikes', () => {
    const makeId = makeIds(makeManualClock(), makeSeededRandomness(1));
    for (const prefix of ['ses', 'ten', 'key', 'ply', 'req', 'nod'] as const) {
      const id = makeId(prefix);
      expect(id).toMatch(new RegExp(`^${prefix}_[0-9abcdefghjkmnpqrstvwxyz]{26}$`));
      expect(isId(prefix, id)).toBe(true);
    }
  });

  test('[H11] an id of a later millisecond sorts later, up to the far future', () => {
    const clock = makeManualClock(0);
    const makeId = makeIds(clock, makeSeededRandomness(2));
    const ids: string[] = [];
    for (const ms of [0, 1, 30, 1, 1_000, 1_000_000, 2 ** 40, 2 ** 49]) {
      clock.advance(ms);
      ids.push(makeId('ses'));
    }
    expect(ids).toEqual([...ids].sort());
  });

  test('[H11] no two of 200,000 ids of one millisecond are the same', () => {
    const makeId = makeIds(makeManualClock(), systemRandomness);
    const ids = new Set(Array.from({ length: 200_000 }, () => makeId('ses')));
    expect(ids.size).toBe(200_000);
  });

  test('[H11] every random character is as likely as any other', () => {
    const makeId = makeIds(makeManualClock(), makeSeededRandomness(3));
    const counts = new Map<string, number>();
    for (let n = 0; n < 4_000; n++) {
      for (const char of makeId('ses').slice(-16)) counts.set(char, (counts.get(char) ?? 0) + 1);
    }
    expect(counts.size).toBe(32);
    for (const count of counts.values()) expect(Math.abs(count - 2_000)).toBeLessThan(250);
  });

  test('[H11] an id of another kind or form is refused', () => {
    const id = makeIds(makeManualClock(), makeSeededRandomness(4))('ses');
    const wrong = [
      '',
      id.slice(1),
      id.slice(0, -1),
      `${id}0`,
      `${id}\n`,
      ` ${id}`,
      id.toUpperCase(),
      id.replace('ses', 'key'),
      ...['i', 'l', 'o', 'u', '-', 'é', '\u0000'].map((char) => id.slice(0, -1) + char),
    ];
    for (const each of wrong) expect([each, isId('ses', each)]).toEqual([each, false]);
  });
});

describe('[S3] room codes', () => {
  test('[S3] a code is six characters without look-alikes, all equally likely', () => {
    const randomness = makeSeededRandomness(5);
    const counts = new Map<string, number>();
    for (let n = 0; n < 10_000; n++) {
      const code = makeRoomCode(randomness);
      expect(code).toMatch(/^[A-Z0-9]{6}$/);
      for (const char of code) counts.set(char, (counts.get(char) ?? 0) + 1);
    }
    expect([...counts.keys()].sort().join('')).toBe('2346789ABCDEFGHJKMNPQRTVWXYZ');
    for (const count of counts.values()) expect(Math.abs(count - 60_000 / 28)).toBeLessThan(250);
  });

  test('[S3] a code may be typed in lower case, with spaces and dashes', () => {
    const code = makeRoomCode(makeSeededRandomness(6));
    expect(parseRoomCode(` ${code.slice(0, 3).toLowerCase()} - ${code.slice(3)}\n`)).toBe(code);
    for (const text of ['', code.slice(1), `${code}A`, '\0'.repeat(6), 'O0I1L5']) {
      expect(parseRoomCode(text)).toBeNull();
    }
  });
});
