/** Erased players: what names them goes, and nothing else does. */

import { expect } from 'bun:test';
import { WORLDS } from '../world.ts';
import type { Case } from './stage.ts';
import {
  answerOf,
  append,
  auditOf,
  created,
  entryOf,
  seatOf,
  T0,
  TENANT,
  tenantOf,
} from './stage.ts';

const DAY_MS = 86_400_000;

export const erasingCases: readonly Case[] = [
  {
    title: '[R2] an erased player is named nowhere, and their sessions stay',
    async run(store, maker) {
      const [id, other] = ['player "zoë"\u001e 47', 'player 48'] as const;
      await store.createTenant(tenantOf(), auditOf('tenant.create'));
      const body = JSON.stringify({ players: [{ id, displayName: 'Zoë Zweistein' }] });
      const named = { body, mint: JSON.stringify([id]) };
      const session = await created(store, 1, {
        seats: [seatOf(0, id, 'Zoë Zweistein'), seatOf(1, other, 'Other')],
        idempotency: answerOf('create', { body }),
      });
      const path = `/v1/players/${encodeURIComponent(id)}/token`;
      const token = answerOf('token', { path, body: '{}' });
      await store.keepIdempotent(token);
      await store.keepIdempotent(answerOf('mint', { mint: named.mint }));
      await store.keepIdempotent(answerOf('kept'));
      await store.keepIdempotent(answerOf('theirs', { ...named, tenant: 'ten_b' }));
      await append(store, session, [entryOf(1)], { status: 'ended', endedAt: T0 });

      expect(await store.erasePlayer(TENANT, WORLDS, id, T0)).toBe(true);
      expect(await store.erasePlayer(TENANT, WORLDS, id, T0)).toBe(false);
      expect(await store.erasePlayer('ten_c', WORLDS, id, T0)).toBe(false);
      expect(await store.findPlayer(TENANT, 'live', id)).toBeNull();
      expect(await store.listSessionsOf(TENANT, id)).toEqual([]);
      const { roster, entries } = (await store.loadSession(session))!;
      expect(roster).toEqual([
        { id: null, displayName: null },
        { id: other, displayName: 'Other' },
      ]);
      expect(entries.length).toBe(2);
      for (const gone of [answerOf('create'), answerOf('mint'), token]) {
        expect(await store.findIdempotent(gone, T0)).toBeNull();
      }
      // Responses that do not name them still protect against performing a request twice.
      expect(await store.findIdempotent(answerOf('kept'), T0)).not.toBeNull();
      expect(
        await store.findIdempotent(answerOf('theirs', { tenant: 'ten_b' }), T0),
      ).not.toBeNull();
      const texts = (await maker.dump?.(store)) ?? [];
      expect(texts.filter((text) => /zoë|zweistein|zo%C3%AB/i.test(text)).length).toBe(
        maker.dump === undefined ? 0 : 2, // The other tenant's response: body and mint.
      );
    },
  },
  {
    title: '[R2] a player without a row who had a token is in no stored response either',
    async run(store) {
      const path = '/v1/players/:playerId/token#digest';
      const gone = answerOf('token', { path, mint: '["ann"]' });
      const left = [
        answerOf('kept'),
        answerOf('other', { path, mint: '["ben"]' }),
        // In another player's data: a player without a row was given no seat.
        answerOf('named', { body: '{"metadata":"ann"}' }),
      ];
      for (const answer of [gone, ...left]) await store.keepIdempotent(answer);
      expect(await store.erasePlayer(TENANT, WORLDS, 'ann', T0)).toBe(false);
      expect(await store.findIdempotent(gone, T0)).toBeNull();
      for (const each of left) expect(await store.findIdempotent(each, T0)).not.toBeNull();
    },
  },
  {
    title: '[R2][H8] erasing a player whose id is a property name removes no other responses',
    async run(store) {
      const named = answerOf('named', { body: '{"players":[{"id":"id"}]}' });
      const other = answerOf('other', { body: '{"players":[{"id":"ben"}]}', mint: '{"id":"ben"}' });
      for (const answer of [named, other]) await store.keepIdempotent(answer);
      const naming = {
        tenant: TENANT,
        world: 'live' as const,
        playerId: 'id',
        newRef: 'ply_id',
        at: T0,
      };
      await store.namePlayer({ ...naming, displayName: 'Id' }, null);
      expect(await store.erasePlayer(TENANT, WORLDS, 'id', T0)).toBe(true);
      expect(await store.findIdempotent(named, T0)).toBeNull();
      expect(await store.findIdempotent(other, T0)).not.toBeNull();
    },
  },
  {
    title:
      '[R2][H8] erasing several players at once removes all their responses, whatever their ids',
    async run(store) {
      const ids = [
        'a.n',
        'a(n|[b',
        '***:x',
        'd\\\\d',
        'q"t',
        'tab\tx',
        'é😀',
        '^$',
        'p{2}',
        '~a.*',
      ];
      const others = ['axn', 'dd', 'd7', 'pp', 'b'];
      const answersOf = (id: string, n: number) => [
        answerOf(`seated ${n}`, { body: JSON.stringify({ players: [{ id }] }) }),
        answerOf(`told ${n}`, { body: `{"error":${JSON.stringify(`Not connected: ${id}`)}}` }),
      ];
      const all = [...ids, ...others].map((id, n) => ({ id, answers: answersOf(id, n) }));
      for (const { id, answers } of all) {
        await store.namePlayer({ ...seatOf(0, id), tenant: TENANT, world: 'live' }, null);
        for (const answer of answers) await store.keepIdempotent(answer);
      }
      await Promise.all(ids.map((id) => store.erasePlayer(TENANT, WORLDS, id, T0 + DAY_MS)));
      for (const { id, answers } of all) {
        const found = await Promise.all(answers.map((row) => store.findIdempotent(row, T0)));
        const isThere = found.map((row) => row !== null);
        expect([id, ...isThere]).toEqual([id, others.includes(id), others.includes(id)]);
      }
    },
  },
  {
    title: '[R2][K3] a response goes with the player of its mode, whatever its text contains',
    async run(store) {
      const texts = ['\u0000', '\ud800', '\udc00x', '"mode":"live"'];
      const answers = texts.flatMap((text, n) =>
        (['live', 'test'] as const).map((mode) => ({
          mode,
          row: answerOf(`${mode} ${n}`, {
            body: JSON.stringify({ mode, metadata: { text }, players: [{ id: 'ann' }] }),
          }),
        })),
      );
      const left = async () => {
        const found = await Promise.all(answers.map(({ row }) => store.findIdempotent(row, T0)));
        return new Set(answers.flatMap(({ mode }, n) => (found[n] === null ? [] : [mode])));
      };
      for (const world of WORLDS) {
        await store.namePlayer(
          { ...seatOf(0, `ann`), newRef: `ply_${world}`, tenant: TENANT, world },
          null,
        );
      }
      for (const { row } of answers) await store.keepIdempotent(row);
      const looked = await store.forgetAnswersOf(TENANT, ['test'], 'ann', T0);
      // These come while the player is erased.
      for (const { row } of answers) await store.keepIdempotent(row);
      expect(await store.erasePlayer(TENANT, ['test'], 'ann', T0, { looked })).toBe(true);
      expect(await left()).toEqual(new Set(['live']));
      expect(await store.erasePlayer(TENANT, ['live'], 'ann', T0)).toBe(true);
      expect(await left()).toEqual(new Set());
    },
  },
];
