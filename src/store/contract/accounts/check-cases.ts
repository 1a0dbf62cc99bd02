/** Verdicts of device checks in a session's row: stored with its creation and with a commit. */

import { expect } from 'bun:test';
import type { Case } from '../stage.ts';
import { append, created, entryOf, filterOf, kindOf, sessionId, sessionOf, T0 } from '../stage.ts';

const FIRST = '[{"seat":1,"verdict":{"status":"passed"}}]';
const BOTH = '[{"seat":1,"verdict":{"status":"passed"}},{"seat":0,"verdict":{"status":"failed"}}]';

export const checkCases: readonly Case[] = [
  {
    title: '[I3] a session has the verdict it was created with, and none without one',
    async run(store) {
      await created(store, 1);
      const { row, ...rest } = sessionOf(2);
      const session = { ...rest, row: { ...row, integrity: FIRST } };
      expect(kindOf(await store.createSession(session))).toBe('created');
      expect((await store.loadSession(sessionId(1)))!.row).not.toHaveProperty('integrity');
      expect((await store.loadSession(sessionId(2)))!.row.integrity).toBe(FIRST);
      const rows = await store.listSessions(filterOf({ mode: 'live' }));
      expect(rows.map(({ integrity }) => integrity)).toEqual([FIRST, undefined]);
    },
  },
  {
    title: '[I3a] verdicts change with the commit that seats a player, and are unchanged by others',
    async run(store) {
      const id = await created(store, 1);
      expect(await append(store, id, [entryOf(1)], { integrity: FIRST })).toBe('committed');
      expect(await append(store, id, [entryOf(1)], { integrity: BOTH })).toBe('conflict');
      expect((await store.loadSession(id))!.row.integrity).toBe(FIRST);
      await append(store, id, [entryOf(2)], { integrity: BOTH });
      await append(store, id, [entryOf(3)], { status: 'active', startedAt: T0 + 3 });
      await append(store, id, [entryOf(4)], { status: 'ended', endedAt: T0 + 4 });
      expect((await store.loadSession(id))!.row).toMatchObject({
        status: 'ended',
        integrity: BOTH,
      });
    },
  },
];
