/** Parsing of replays from outside: accepts exported ones, and names what is wrong with others. */

import { expect, test } from 'bun:test';
import { makeTestRoster, startTrace } from '../../testing/matches/session-trace.ts';
import { makeReplay } from './replay.ts';
import { parseReplay, readReplay } from './replay-form.ts';

const trace = startTrace();
const replay = makeReplay(trace.session, makeTestRoster(2), trace.entries);
const input = { v: 3, at: '2026-11-21T12:00:00.000Z', seat: 0, action: { position: 4 } };

test('[S7] an exported replay is unchanged by parsing', () => {
  const text = JSON.stringify(replay);
  expect(parseReplay(text)).toEqual(JSON.parse(text));
});

test('[S7] fields missing from older replays are filled in', () => {
  const { drawnSeats: _, controls: __, sessionId: ___, ...older } = replay;
  expect(readReplay(older)).toMatchObject({ drawnSeats: null, controls: [], sessionId: '' });
});

test.each<[string, unknown, string]>([
  ['no object', [], 'has to be an object'],
  ['nothing', null, 'has to be an object'],
  ['no game', { ...replay, game: 7 }, 'game: has to be a text'],
  ['no seats', { ...replay, seats: 0 }, 'seats: '],
  ['an option that is a list', { ...replay, options: { a: [] } }, 'options.a: '],
  [
    'a commitment that is none',
    { ...replay, fairness: { ...replay.fairness, commitment: 'x' } },
    'fairness.commitment: ',
  ],
  [
    'a player on no seat',
    { ...replay, players: [{ ...replay.players[0], seat: -1 }] },
    'players[0].seat: ',
  ],
  ['an input that is none', { ...replay, inputs: [input, 7] }, 'inputs[1]: '],
  ['an input without a time', { ...replay, inputs: [{ ...input, at: 5 }] }, 'inputs[0].at: '],
  [
    'a control of another kind',
    { ...replay, controls: [{ ...input, kind: 'bribe' }] },
    'controls[0].kind: ',
  ],
  ['ticks that are no list', { ...replay, ticks: {} }, 'ticks: '],
  ['a hash that is none', { ...replay, hash: 'abc' }, 'hash: '],
  ['a result without a reason', { ...replay, result: {} }, 'result.reason: '],
])('[S7] %s is no replay', (_, value, wrong) => {
  expect(readReplay(value)).toStartWith(wrong);
});

test('[S7] a field of the prototype does not count', () => {
  const bare = Object.create(replay) as object;
  expect(readReplay(bare)).toBe('rulesVersion: has to be a whole number');
});

test('[S7] a text that is no JSON is no replay', () => {
  expect(parseReplay('{"game":')).toBeString();
});
