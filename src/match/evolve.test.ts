/** Logs that no `decide` has written are reported as broken instead of being folded to nonsense. */

import { expect, test } from 'bun:test';
import { shippedGames } from '../games/registry.ts';
import type { BrokenLog } from '../testing/matches/broken-log.ts';
import { expectBroken, more } from '../testing/matches/broken-log.ts';
import { thaw } from '../testing/matches/session-laws.ts';
import { follow, followAll, startTrace, T0 } from '../testing/matches/session-trace.ts';
import { foldSession } from './evolve.ts';

const started = followAll(startTrace(), [
  [1, { kind: 'act', seat: 0, id: 'a', action: { position: 0 } }],
]);
const ended = follow(started, { kind: 'resign', seat: 1, id: 'r' }, T0 + 2);

const outcome = { winners: [], places: [1, 1], reason: 'aborted', detail: {} };
const [created] = started.entries;

const BROKEN: readonly BrokenLog[] = [
  ['nothing', [], 'empty log'],
  ['no first record', started.entries.slice(1), 'out of order'],
  ['created twice', more(started, created!.record), 'created twice'],
  ['a gap', started.entries.filter(({ v }) => v !== 2), 'out of order'],
  ['a record twice', [...started.entries, started.entries.at(-1)!], 'out of order'],
  [
    'a time that falls',
    [...started.entries, { v: 5, at: T0, record: { k: 'paused', lostMs: 1 } }],
    'earlier than the one before',
  ],
  ['started twice', more(started, { k: 'started' }), 'started twice'],
  ['a move after the end', more(ended, { k: 'connected', seat: 0 }), 'after the end'],
  ['ended twice', more(ended, { k: 'ended', outcome }), 'after the end'],
  ['a turn missed where none can be', more(started, { k: 'missed', seat: 1 }), 'cannot be missed'],
  [
    'an illegal move',
    more(started, { k: 'action', seat: 1, id: 'x', action: { position: 0 } }),
    'Position 0 is taken',
  ],
  [
    'a move before the start',
    more({ entries: [created!] }, { k: 'action', seat: 0, id: 'x', action: { position: 0 } }),
    'not active but pending',
  ],
  [
    'a seat that goes twice',
    more(
      { entries: more(started, { k: 'forfeited', seat: 0, reason: 'disconnect', id: null }) },
      { k: 'forfeited', seat: 0, reason: 'disconnect', id: null },
    ),
    'seat 0 cannot go',
  ],
  [
    'a seat that does not exist',
    more(started, { k: 'forfeited', seat: 7, reason: 'disconnect', id: null }),
    'seat 7 cannot go',
  ],
];

test.each(BROKEN)('[S7] a log with %s is broken', (_, entries, fault) => {
  expectBroken(entries, fault);
});

test('[S7] a genuine log is not', () => {
  expect(foldSession(shippedGames.findPlayed, 'ses_test', thaw(ended.entries))).toEqual(
    ended.session,
  );
});
