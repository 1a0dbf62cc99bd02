/** The service's own data: heartbeats, the secret that signs. */

import { expect } from 'bun:test';
import type { SigningSecret } from '../store.ts';
import type { Case } from './stage.ts';
import { append, created, entryOf, sessionId, T0 } from './stage.ts';

function makeSecret(n: number): SigningSecret {
  return { kid: `kid-${n}`, secret: Uint8Array.from({ length: 32 }, (_, i) => (i * 7 + n) & 255) };
}

export const serviceCases: readonly Case[] = [
  {
    title: '[P6] the latest heartbeat of any process counts',
    async run(store) {
      expect(await store.lastHeartbeat()).toBeNull();
      await store.heartbeat('nod_a', T0);
      await store.heartbeat('nod_b', T0 + 5);
      await store.heartbeat('nod_a', T0 + 3);
      expect(await store.lastHeartbeat()).toBe(T0 + 5);
      await store.heartbeat('nod_a', T0 + 9);
      expect(await store.lastHeartbeat()).toBe(T0 + 9);
    },
  },
  {
    title: '[P6] a start removes heartbeats from the future',
    async run(store) {
      // Two minutes around the machine's time: a database uses its own clock.
      const now = Date.now();
      const [past, future] = [now - 120_000, now + 120_000];
      await store.heartbeat('nod_ahead', future);
      await store.heartbeat('nod_a', past);
      await store.pruneHeartbeats(now);
      expect(await store.lastHeartbeat()).toBe(past);
    },
  },
  {
    title: '[P2] the secret that signs is created once, by any number of openers',
    async run(store, maker) {
      const other = (await maker.openAgain?.(store)) ?? store;
      const secrets = await Promise.all(
        [store, other, store, other].map((each, n) => each.signingSecret(() => makeSecret(n))),
      );
      const made = [0, 1, 2, 3].map(makeSecret);
      expect(made).toContainEqual(secrets[0]!);
      for (const secret of secrets) expect(secret).toEqual(secrets[0]!);
      expect(await store.signingSecret(() => makeSecret(9))).toEqual(secrets[0]!);
      if (other !== store) await other.close();
    },
  },
  {
    title: '[STORE-8] a store that is available says so',
    async run(store) {
      expect(await store.ping()).toBe(true);
    },
  },
  {
    title: '[STORE-9] other openers read what one commits, and conflict with it',
    async run(store, maker) {
      if (maker.openAgain === undefined) return;
      const other = await maker.openAgain(store);
      const id = await created(store, 1);
      expect(await append(store, id, [entryOf(1)])).toBe('committed');
      expect((await other.loadSession(id))?.entries.length).toBe(2);
      expect(await append(other, id, [entryOf(1)])).toBe('conflict');
      expect(await append(other, id, [entryOf(2)])).toBe('committed');
      expect(await append(store, id, [entryOf(2)], { awake: true })).toBe('conflict');
      expect((await store.loadSession(id))?.entries.length).toBe(3);
      expect(await other.loadSession(sessionId(2))).toBeNull();
      await other.close();
    },
  },
];
