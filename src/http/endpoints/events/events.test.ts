/** The log of events over HTTP: pages and the stream (section 8 of SPEC.md). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { EVENT_DATA, event as eventSchema } from '../../../contract/answers/event-answers.ts';
import { EVENT_TYPES } from '../../../contract/values.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type HttpService, openHttpService } from '../../../testing/service/http-service.ts';

let service: HttpService;
let tenant: Tenant;
let live: string;
let testKey: string;

interface Event {
  readonly id: string;
  readonly type: string;
  readonly sessionId?: string;
  readonly mode: string;
  readonly seq: number;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}
interface Page {
  readonly data: readonly Event[];
  readonly nextCursor: string | null;
}

beforeAll(async () => {
  service = await openHttpService();
  tenant = await service.makeTenant();
  live = await service.makeKey(tenant, 'live');
  testKey = await service.makeKey(tenant, 'test');
});
afterAll(() => service.close());

async function ask(key: string, method: string, path: string, body?: object): Promise<Response> {
  const init: RequestInit = { method, headers: { authorization: `Bearer ${key}` } };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { ...init.headers, 'content-type': 'application/json' };
  }
  return service.app.fetch(new Request(`https://api.example.test${path}`, init), {
    address: '127.0.0.1',
  });
}

async function page(key: string, query = ''): Promise<Page> {
  const response = await ask(key, 'GET', `/v1/events${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Page;
}

async function makeSession(key: string, fields: object = {}): Promise<{ sessionId: string }> {
  const body = {
    game: 'tictactoe',
    matchType: 'private',
    players: [{ id: 'ann', displayName: 'Ann' }, { id: 'bob' }],
    metadata: { table: '7' },
    ...fields,
  };
  const response = await ask(key, 'POST', '/v1/sessions', body);
  expect(response.status).toBe(201);
  return (await response.json()) as { sessionId: string };
}

function connect(session: string, seat: number): Promise<void> {
  return new Promise((resolve) => {
    service.host.attach(
      session,
      { viewer: seat, player: null, send: () => {}, lost: () => {} },
      () => resolve(),
    );
  });
}

function act(session: string, seat: number, position: number): Promise<void> {
  const subscriber = { viewer: seat, player: null, send: () => resolveNext(), lost: () => {} };
  let resolveNext = (): void => {};
  return new Promise((resolve) => {
    resolveNext = resolve;
    const command = { kind: 'act', id: `m${position}`, action: { position } } as const;
    service.host.play(session, seat, command, subscriber);
  });
}

async function playOut(session: string): Promise<void> {
  await connect(session, 0);
  await connect(session, 1);
  for (const [ply, position] of [0, 3, 1, 4, 2].entries()) await act(session, ply % 2, position);
}

test('[E1] a match from creation to end: events in order, each valid by its schema', async () => {
  const { sessionId } = await makeSession(live);
  await playOut(sessionId);
  const { data } = await page(live, `?sessionId=${sessionId}&limit=100`);
  expect(data.map(({ type }) => type)).toEqual([
    'session.created',
    'player.connected',
    'player.connected',
    'session.started',
    ...Array<string>(5).fill('move.made'),
    'session.ended',
  ]);
  for (const each of data) {
    eventSchema.parse(each);
    EVENT_DATA[each.type as keyof typeof EVENT_DATA].parse(each.data);
    expect(each).toMatchObject({ sessionId, mode: 'live', data: { metadata: { table: '7' } } });
  }
  expect(data.map(({ seq }) => seq)).toEqual(data.map((_, i) => data[0]!.seq + i));
  expect(data[0]!.data).toMatchObject({
    game: 'tictactoe',
    players: [
      { id: 'ann', displayName: 'Ann', seat: 0, isBot: false },
      { id: 'bob', displayName: null, seat: 1, isBot: false },
    ],
  });
  expect(data[4]!.data).toMatchObject({ seat: 0, playerId: 'ann', action: { position: 0 } });
  expect(data.at(-1)!.data['result']).toMatchObject({ winner: 'ann', reason: 'three_in_a_row' });
});

test('[E1] a session that no player joins expires instead of ending', async () => {
  const { sessionId } = await makeSession(live);
  service.clock.advance(600_001);
  await service.host.maintain();
  for (let i = 0; i < 50; i++) await Bun.sleep(2);
  const { data } = await page(live, `?sessionId=${sessionId}`);
  expect(data.map(({ type }) => type)).toEqual(['session.created', 'session.expired']);
});

test('[E2][H9] pages follow one another without gaps or repeats', async () => {
  const { data: all } = await page(live, '?limit=100');
  const seen: Event[] = [];
  let query = '?limit=3';
  for (;;) {
    const { data, nextCursor } = await page(live, query);
    seen.push(...data);
    if (nextCursor === null) break;
    expect(data.at(-1)!.id).toBe(nextCursor);
    query = `?limit=3&cursor=${nextCursor}`;
  }
  expect(seen).toEqual([...all]);
  expect((await page(live, `?after=${all.at(-1)!.id}`)).data).toEqual([]);
});

test('[E2][H9] pages continue from the cursor, and not from where the first page began', async () => {
  const { data } = await page(live, '?limit=3');
  const first = data[0]!.id;
  const { data: next, nextCursor } = await page(live, `?limit=1&after=${first}`);
  expect(next[0]!.id).toBe(data[1]!.id);
  const later = await page(live, `?limit=1&after=${first}&cursor=${nextCursor}`);
  expect(later.data[0]!.id).toBe(data[2]!.id);
});

test('[E2] only the requested types are returned; an unknown type is refused', async () => {
  const { data } = await page(live, '?types=session.ended,session.expired&limit=100');
  expect(new Set(data.map(({ type }) => type))).toEqual(
    new Set(['session.ended', 'session.expired']),
  );
  const wrong = await ask(live, 'GET', '/v1/events?types=session.exploded');
  const { error } = (await wrong.json()) as { error: string };
  expect(wrong.status).toBe(400);
  expect(error).toBe(`Invalid types. Valid: ${EVENT_TYPES.join(', ')}`);
  const badAfter = await ask(live, 'GET', '/v1/events?after=evt_1');
  expect([badAfter.status, await badAfter.json()]).toEqual([400, { error: 'Invalid after' }]);
});

test('[K3] a test key sees test events only, a live key both on request', async () => {
  const { sessionId } = await makeSession(testKey);
  expect((await page(testKey, '?limit=100')).data.every(({ mode }) => mode === 'test')).toBe(true);
  expect((await page(testKey, '?mode=live')).data).toEqual([]);
  expect((await page(live, '?limit=100')).data.every(({ mode }) => mode === 'live')).toBe(true);
  const asked = await page(live, '?mode=test&limit=100');
  expect(asked.data.some((event) => event.sessionId === sessionId)).toBe(true);
  const other = await service.makeKey(await service.makeTenant(), 'live');
  expect((await page(other)).data).toEqual([]);
});

test('[R2] an erased player is in no event any more', async () => {
  const { sessionId } = await makeSession(live, { players: [{ id: 'zoe' }, { id: 'yan' }] });
  await playOut(sessionId);
  expect((await ask(live, 'DELETE', '/v1/players/zoe')).status).toBe(200);
  const { data } = await page(live, `?sessionId=${sessionId}&limit=100`);
  expect(JSON.stringify(data)).not.toContain('zoe');
  expect(data.at(-1)!.data['result']).toMatchObject({ winner: null, winners: [null] });
});

test('[E2] the stream sends events, and resumes after the last received event', async () => {
  const before = await page(live, '?types=session.created&limit=100');
  const response = await ask(live, 'GET', '/v1/events/stream?types=session.created');
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  expect(decoder.decode((await reader.read()).value)).toMatch(/^: here\nid: evt_\w+\n\n$/);
  const { sessionId } = await makeSession(live);
  const text = decoder.decode((await reader.read()).value);
  expect(text).toStartWith('id: evt_');
  const told = JSON.parse(/^data: (.*)$/m.exec(text)![1]!) as Event;
  expect([told.type, told.sessionId]).toEqual(['session.created', sessionId]);
  await reader.cancel();

  const last = before.data.at(-1)!;
  const request = new Request('https://api.example.test/v1/events/stream?types=session.created', {
    headers: { authorization: `Bearer ${live}`, 'last-event-id': last.id },
  });
  const resumed = (await service.app.fetch(request, { address: '127.0.0.1' })).body!.getReader();
  await resumed.read();
  expect(decoder.decode((await resumed.read()).value)).toContain(`id: ${told.id}\n`);
  await resumed.cancel();
});

/** Opens the stream and reads the id with which it begins. */
async function readBeginning(key: string, lastId?: string) {
  const request = new Request('https://api.example.test/v1/events/stream?types=session.created', {
    headers: { authorization: `Bearer ${key}`, ...(lastId && { 'last-event-id': lastId }) },
  });
  const response = await service.app.fetch(request, { address: '127.0.0.1' });
  const reader = response.body!.getReader();
  const next = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
  return { id: /^id: (.*)$/m.exec(await next())![1]!, next, close: () => reader.cancel() };
}

test('[E2] a stream that breaks before its first event resumes from where it began', async () => {
  // A log with events, and an empty one.
  const fresh = await service.makeKey(await service.makeTenant(), 'live');
  for (const key of [live, fresh]) {
    const first = await readBeginning(key);
    await first.close();
    const { sessionId } = await makeSession(key);
    const again = await readBeginning(key, first.id);
    expect(again.id).toBe(first.id);
    expect(await again.next()).toContain(`"sessionId":"${sessionId}"`);
    await again.close();
  }
});

test("[H6] event streams over the plan's limit are refused, and one that ends makes room", async () => {
  const small = await service.makeTenant({ plan: 'starter' });
  const key = await service.makeKey(small, 'test');
  const open = async (): Promise<Response> => ask(key, 'GET', '/v1/events/stream');
  const first = await open();
  const second = await open();
  const third = await open();
  expect([first.status, second.status, third.status]).toEqual([200, 200, 429]);
  expect(await third.json()).toEqual({ error: 'Event stream limit of the plan exceeded' });
  await first.body!.cancel();
  const fourth = await open();
  expect(fourth.status).toBe(200);
  await Promise.all([second.body!.cancel(), fourth.body!.cancel()]);
});

test('[E2] an idle stream sends heartbeats', async () => {
  const response = await ask(live, 'GET', '/v1/events/stream');
  const reader = response.body!.getReader();
  await reader.read();
  const next = reader.read();
  await Bun.sleep(5);
  service.clock.advance(20_000);
  expect(new TextDecoder().decode((await next).value)).toBe(': still here\n\n');
  await reader.cancel();
});
