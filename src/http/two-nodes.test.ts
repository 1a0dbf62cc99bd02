/** Tenants' isolated data on every node: stored responses, and the secrets of a key. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { SEALING_KEY_BYTES } from '../runtime/sealing/sealer.ts';
import { systemRandomness } from '../runtime/system.ts';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import { makeKeyText } from '../tenancy/key-text.ts';
import type { ApiKey } from '../tenancy/tenant.ts';
import { migratedDatabase } from '../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../testing/servers/postgres.ts';
import { makeAsking } from '../testing/service/asking.ts';
import { type HttpService, openHttpService, PUBLIC_URL } from '../testing/service/http-service.ts';

setDefaultTimeout(60_000);

const SEALING_KEY = systemRandomness.bytes(SEALING_KEY_BYTES);
const PEER = { address: '203.0.113.7' };
const OVERLAP_MS = 60_000;
const audit = { tenant: '', actor: 'cli', act: 'test', object: '', at: 0 };

/** Runs `play` on nodes of one database; one node is enough for SQLite. */
async function onNodes(
  count: number,
  open: () => Promise<(node: string) => Promise<Parameters<typeof openHttpService>[3]>>,
  play: (nodes: readonly HttpService[]) => Promise<void>,
): Promise<void> {
  const storeOf = await open();
  const nodes: HttpService[] = [];
  try {
    for (let n = 0; n < count; n++) {
      nodes.push(await openHttpService({}, {}, {}, await storeOf(`nod_${n}`), SEALING_KEY));
    }
    await play(nodes);
  } finally {
    for (const node of nodes) await node.close();
  }
}

const PLACES = [
  { name: 'SQLite', isHere: true, nodes: 1, open: async () => async () => null },
  {
    name: 'two nodes on PostgreSQL',
    isHere: isPostgresHere(),
    nodes: 2,
    async open() {
      const url = await migratedDatabase();
      return (node: string) => openPostgresStore({ url, node });
    },
  },
] as const;

describe.each(PLACES.filter(({ isHere }) => isHere))('on $name', ({ nodes: count, open }) => {
  test('[H8][K3] one idempotency key of two tenants, in both modes, on every node: each gets its own response', () =>
    onNodes(count, open, async (nodes) => {
      const [first] = nodes as [HttpService];
      const tenants = [await first.makeTenant(), await first.makeTenant()];
      const modes = ['live', 'test'] as const;
      const wished = tenants.flatMap((tenant) => modes.map((mode) => ({ tenant, mode })));
      const callers = await Promise.all(
        wished.map(async (each) => ({ ...each, key: await first.makeKey(each.tenant, each.mode) })),
      );
      const headers = { 'idempotency-key': 'the same for all' };
      const body = { game: 'tictactoe', players: [{ id: 'ann' }, { id: 'ben' }] };
      const askAll = (node: HttpService) =>
        Promise.all(
          callers.map(({ key }) => makeAsking(node.app, key)('/v1/sessions', { body, headers })),
        );
      const made = await askAll(first);
      const ids = made.map(({ json }) => json.sessionId as string);
      expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect(new Set(ids).size).toBe(4);
      for (const node of nodes) {
        const again = await askAll(node);
        expect(again.map(({ json }) => json.sessionId)).toEqual(ids);
        for (const [i, { mode, key }] of callers.entries()) {
          const ask = makeAsking(node.app, key);
          expect((await ask(`/v1/sessions/${ids[i]}`)).json.mode).toBe(mode);
          const other = { game: 'connect4', players: [{ id: 'eve' }, { id: 'mal' }] };
          const refused = await ask('/v1/sessions', { body: other, headers });
          expect([refused.status, refused.text.includes('ses_')]).toEqual([422, false]);
          for (const [j, id] of ids.entries()) {
            const isOwn = callers[j]!.tenant === callers[i]!.tenant;
            if (!isOwn) expect((await ask(`/v1/sessions/${id}`)).status).toBe(404);
          }
        }
      }
    }));

  test('[K2] both secrets of a rotated key are valid on every node until the overlap ends, then the new one', () =>
    onNodes(count, open, async (nodes) => {
      const [first] = nodes as [HttpService];
      const tenant = await first.makeTenant();
      const old = await first.makeKey(tenant, 'test');
      const [key] = (await first.store.listKeys(tenant.id)) as [ApiKey];
      const whoami = (node: HttpService, text: string) =>
        makeAsking(node.app, text)('/v1/whoami').then(({ status }) => status);
      for (const node of nodes) expect(await whoami(node, old)).toBe(200);
      const opened = await Promise.all(nodes.map((node) => openEvents(node, old)));

      const made = makeKeyText('test', (bytes) => systemRandomness.bytes(bytes));
      const endsAt = first.clock.now() + OVERLAP_MS;
      const secret = { id: made.id, hash: made.hash };
      await first.store.rotateKey(key.id, secret, made.hint, endsAt, audit);
      for (const node of nodes) await node.refreshKeys();
      const fresh = await Promise.all(nodes.map((node) => openEvents(node, made.text)));
      const both = async () => {
        const statuses = [];
        for (const node of nodes)
          statuses.push(await whoami(node, old), await whoami(node, made.text));
        return statuses;
      };
      for (const node of nodes) node.clock.advance(OVERLAP_MS - 1_000);
      for (const node of nodes) await node.refreshKeys();
      expect(await both()).toEqual(nodes.flatMap(() => [200, 200]));
      for (const stream of [...opened, ...fresh]) expect(await isOpen(stream)).toBe(true);

      for (const node of nodes) node.clock.advance(1_000);
      // That needs no look-up in the store.
      expect(await both()).toEqual(nodes.flatMap(() => [401, 200]));
      for (const node of nodes) await node.refreshKeys();
      for (const stream of opened) expect(await isOpen(stream)).toBe(false);
      for (const stream of fresh) expect(await isOpen(stream)).toBe(true);

      // A rotation does not stop a stolen secret at once; a revocation does.
      await first.store.updateKey(key.id, { revokedAt: first.clock.now() }, audit);
      for (const node of nodes) await node.refreshKeys();
      expect(await both()).toEqual(nodes.flatMap(() => [401, 401]));
      for (const stream of fresh) expect(await isOpen(stream)).toBe(false);
    }));

  test('[K2] with two rotations each older secret has its own end; an overlap of 0 ends all of them', () =>
    onNodes(count, open, async (nodes) => {
      const [first] = nodes as [HttpService];
      const tenant = await first.makeTenant();
      const texts = [await first.makeKey(tenant, 'live')];
      const [key] = (await first.store.listKeys(tenant.id)) as [ApiKey];
      const rotate = async (overlapMs: number) => {
        const made = makeKeyText('live', (bytes) => systemRandomness.bytes(bytes));
        const secret = { id: made.id, hash: made.hash };
        const endsAt = first.clock.now() + overlapMs;
        await first.store.rotateKey(key.id, secret, made.hint, endsAt, audit);
        texts.push(made.text);
        for (const node of nodes) await node.refreshKeys();
      };
      const pass = (ms: number): void => {
        for (const node of nodes) node.clock.advance(ms);
      };
      const answers = async () => {
        const statuses = [];
        for (const node of nodes) {
          const asked = texts.map((text) => makeAsking(node.app, text)('/v1/whoami'));
          statuses.push((await Promise.all(asked)).map(({ status }) => status).join(' '));
        }
        return [...new Set(statuses)];
      };
      await rotate(OVERLAP_MS);
      pass(10_000);
      await rotate(OVERLAP_MS);
      expect(await answers()).toEqual(['200 200 200']);
      pass(OVERLAP_MS - 10_000);
      expect(await answers()).toEqual(['401 200 200']);
      await rotate(OVERLAP_MS);
      expect(await answers()).toEqual(['401 200 200 200']);
      await rotate(0);
      expect(await answers()).toEqual(['401 401 401 401 200']);
    }));
});

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function openEvents(node: HttpService, key: string): Promise<Reader> {
  const headers = { authorization: `Bearer ${key}` };
  const request = new Request(`${PUBLIC_URL}/v1/events/stream`, { headers });
  const response = await node.app.fetch(request, PEER);
  expect(response.status).toBe(200);
  const reader = response.body!.getReader() as Reader;
  await reader.read();
  return reader;
}

/** Reads all available data. */
async function isOpen(reader: Reader): Promise<boolean> {
  for (;;) {
    const reading = reader.read();
    reading.catch(() => {});
    const next = await Promise.race([reading, Bun.sleep(50).then(() => null)]);
    if (next === null) return true;
    if (next.done) return false;
  }
}
