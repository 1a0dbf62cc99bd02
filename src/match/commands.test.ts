/** Commands are accepted once: a repeat is recognized by its id, on any connection and after any restart. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { AnyGame } from '../../game/src/game.ts';
import { connect4 } from '../games/connect4/connect4.ts';
import { anySession, playSession } from '../testing/matches/random-session.ts';
import { thaw } from '../testing/matches/session-laws.ts';
import type { Trace } from '../testing/matches/session-trace.ts';
import {
  follow,
  followAll,
  lastDecision,
  startTrace,
  T0,
} from '../testing/matches/session-trace.ts';
import { TEST_SEED } from '../testing/test-seed.ts';
import type { CommandIndex } from './commands.ts';
import {
  findCommand,
  fingerprint,
  fingerprintOf,
  makeCommandIndex,
  rememberCommand,
} from './commands.ts';

/** The index as a host builds it, record by record. */
function indexAlong({ entries }: Trace): CommandIndex {
  const index = makeCommandIndex([]);
  for (const entry of entries) rememberCommand(index, entry);
  return index;
}

const sizeOf = (index: CommandIndex): number => index.reduce((sum, { size }) => sum + size, 0);

const act = (seat: number, id: string, position: number) =>
  ({ kind: 'act', seat, id, action: { position } }) as const;

test('[P4] an accepted command is found by seat and id, with the version of its record', () => {
  const trace = followAll(startTrace({ game: 'connect4' }), [
    [1, { kind: 'act', seat: 0, id: 'a', action: { column: 3 } }],
    [2, { kind: 'draw', seat: 0, id: 'b', do: 'offer' }],
    [3, { kind: 'resign', seat: 1, id: 'a' }],
  ]);
  const index = makeCommandIndex(trace.entries);
  expect(sizeOf(index)).toBe(3);
  const told = (seat: number, id: string): unknown => {
    const taken = findCommand(index, seat, id)!;
    return [taken.v, fingerprintOf(taken)];
  };
  expect(told(0, 'a')).toEqual([4, fingerprint('act', { column: 3 })]);
  expect(told(0, 'b')).toEqual([5, fingerprint('draw', 'offer')]);
  expect(told(1, 'a')).toEqual([6, fingerprint('resign', null)]);
  expect(findCommand(index, 1, 'b')).toBeNull();
  expect(findCommand(index, 10, 'a')).toBeNull();
});

test('[P4] a rejected id may be used again, and is unknown before it was accepted', () => {
  const taken = follow(startTrace(), act(0, 'a', 0), T0 + 1);
  const refused = follow(taken, act(1, 'b', 0), T0 + 2);
  expect(lastDecision(refused).rejection?.code).toBe('illegal_move');
  expect(findCommand(makeCommandIndex(refused.entries), 1, 'b')).toBeNull();
  const again = follow(refused, act(1, 'b', 1), T0 + 3);
  expect(findCommand(makeCommandIndex(again.entries), 1, 'b')?.v).toBe(again.session.v);
});

test('[P4] a seat that timed out has used no id', () => {
  const trace = follow(startTrace(), { kind: 'tick' }, T0 + 60_000);
  expect(trace.session.status).toBe('ended');
  expect(sizeOf(makeCommandIndex(trace.entries))).toBe(0);
});

test('[P4] equal actions have equal fingerprints, others do not', () => {
  expect(fingerprint('act', { from: 1, to: 2 })).toBe(fingerprint('act', { to: 2, from: 1 }));
  const all = [
    fingerprint('act', { from: 1, to: 2 }),
    fingerprint('act', { from: 2, to: 1 }),
    fingerprint('act', null),
    fingerprint('act', 'offer'),
    fingerprint('draw', 'offer'),
    fingerprint('draw', 'accept'),
    fingerprint('resign', null),
  ];
  expect(new Set(all).size).toBe(all.length);
});

test(`[P4] after a restart every accepted command is known as before (seed ${TEST_SEED})`, () => {
  const property = fc.property(anySession(connect4 as AnyGame), (random) => {
    const trace = playSession(random);
    const index = indexAlong(trace);
    expect(makeCommandIndex(thaw(trace.entries))).toEqual(index);
    for (const { command, decision } of trace.commands) {
      if (!('id' in command) || command.id === null) continue;
      const found = findCommand(index, command.seat, command.id);
      const own = decision.steps.find(
        ({ entry: { record } }) => 'id' in record && record.id === command.id,
      );
      expect(found?.v).toBe(own?.entry.v);
      expect(found === null).toBe(decision.rejection !== null);
    }
  });
  fc.assert(property, { seed: TEST_SEED, numRuns: 200 });
});
