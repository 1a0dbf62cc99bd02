/** The checkers themselves: each finds its violations, and nothing otherwise. */

import { expect, test } from 'bun:test';
import {
  checkDeliveries,
  checkGroup,
  checkMatch,
  checkOneTicket,
  checkOrder,
  checkPlaces,
  checkRepeats,
  checkWindows,
  type Told,
} from './histories.ts';

const move = (v: number, action: unknown = { position: v }) => ({ v, seat: v % 2, action });
const acked = (v: number, id = `m${v}`) => ({ ...move(v), id });
const marks = (findings: readonly string[]) => findings.map((each) => each.split(':')[0]);

test('[P4] moves: lost, changed, doubled, and shown but uncommitted ones are found', () => {
  const whole = { session: 's', acked: [acked(2), acked(3)], shown: [move(2)], isWhole: true };
  const log = [move(2), move(3)];
  expect(checkMatch(whole, log)).toEqual([]);
  expect(marks(checkMatch(whole, [move(2)]))).toEqual(['I1']);
  expect(marks(checkMatch(whole, [move(2), move(3, { position: 9 })]))).toEqual(['I1']);
  expect(marks(checkMatch(whole, [...log, move(4)]))).toEqual(['I4']);
  expect(checkMatch({ ...whole, isWhole: false }, [...log, move(4)])).toEqual([]);
  const bot = { ...whole, acked: [acked(2)], shown: [move(3)], seats: [0] };
  expect(checkMatch(bot, log)).toEqual([]);
  expect(marks(checkMatch(bot, [...log, move(4)]))).toEqual(['I4']);
  expect(marks(checkMatch({ ...whole, shown: [move(7)] }, log))).toEqual(['I6']);
  expect(marks(checkMatch(whole, [move(2), move(3), move(3)]))).toContain('I2');
  const twice = { ...whole, acked: [acked(2, 'a'), acked(4, 'a')], shown: [] };
  expect(marks(checkMatch(twice, [move(2), move(4)]))).toEqual(['I4']);
});

test('[S5][M2] places: too many, doubled, lost, refused but present, and never requested ones are found', () => {
  const asked = (told: Record<string, Told>) => new Map(Object.entries(told));
  const check = (told: Record<string, Told>, ...players: string[]) =>
    marks(checkPlaces({ id: 't', capacity: 2, asked: asked(told), players }));
  expect(check({ a: 'ok', b: 'ok', c: 'refused', d: 'unknown' }, 'a', 'b')).toEqual([]);
  expect(check({ a: 'ok', b: 'ok', c: 'unknown' }, 'a', 'b', 'c')).toEqual(['I8']);
  expect(check({ a: 'ok' }, 'a', 'a')).toEqual(['I8']);
  expect(check({ a: 'ok' })).toEqual(['I8']);
  expect(check({ a: 'refused' }, 'a')).toEqual(['I8']);
  expect(check({}, 'a')).toEqual(['I8']);
});

test('[M5][M2] groups that started twice, players in two tickets', () => {
  const group = (kept: string | null, ...sessions: string[]) =>
    marks(checkGroup({ group: 'g', sessions: new Set(sessions), kept }));
  expect(group('s', 's')).toEqual([]);
  expect(group('s')).toEqual([]);
  expect(group('s', 's', 'r')).toEqual(['I10']);
  expect(group(null, 's')).toEqual(['I10']);
  expect(checkOneTicket([{ id: 't', players: ['a', 'b'] }])).toEqual([]);
  const two = [
    { id: 't', players: ['a', 'b'] },
    { id: 'u', players: ['a'] },
  ];
  expect(marks(checkOneTicket(two))).toEqual(['I9']);
});

test('[H6][H8] windows over the limit, one key with two answers', () => {
  expect(checkWindows(2, new Map([['60', 2]]))).toEqual([]);
  expect(marks(checkWindows(2, new Map(Object.entries({ 60: 2, 120: 3 }))))).toEqual(['I13']);
  expect(checkRepeats('k', ['a', 'a'])).toEqual([]);
  expect(marks(checkRepeats('k', ['a', 'b']))).toEqual(['I15']);
});

test('[E2] deliveries: missing, changed and strange ones are found', () => {
  const one = (id: string, body = id, isAccepted = true) => ({ id, body, isAccepted });
  const check = (...deliveries: ReturnType<typeof one>[]) =>
    marks(checkDeliveries('hook', ['a', 'b'], deliveries));
  expect(check(one('a'), one('b', 'b', false), one('b'))).toEqual([]);
  expect(check(one('a'), one('b', 'b', false))).toEqual(['I12']);
  expect(check(one('a'), one('b', 'other', false), one('b'))).toEqual(['I12']);
  expect(check(one('a'), one('b'), one('c'))).toEqual(['I12']);
});

test('[E2] an event delivered after a later one of its session is found', () => {
  const log = ['a', 'b', 'c'].map((id) => ({ id, session: id === 'c' ? null : 's' }));
  expect(checkOrder('hook', log, ['c', 'a', 'b', 'a'])).toEqual([]);
  expect(marks(checkOrder('hook', log, ['b', 'a', 'c']))).toEqual(['I12']);
});
