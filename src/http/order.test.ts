/** Rule H4: of any two faults in one request the same one is always reported. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Asking, makeAsking } from '../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../testing/service/http-service.ts';

/** A request under construction. */
interface Draft {
  key: string | null;
  /** Of the tenant without a window left. */
  isPoor: boolean;
  isWeb: boolean;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  /** Changes to the body's text, in this order. */
  type: string;
  suffix: string;
  asList: boolean;
}

interface Fault {
  readonly name: string;
  readonly error: string;
  /** Faults of one kind exclude each other. */
  readonly kind?: string;
  corrupt(draft: Draft): void;
}

const REUSED_KEY = 'used before';

const field = (name: string, value: unknown, error: string): Fault => ({
  name,
  error,
  corrupt: ({ body }) => {
    body[name] = value;
  },
});

/** In the order in which they are reported. */
const FAULTS: readonly Fault[] = [
  {
    name: 'no header',
    error: 'Missing Authorization header',
    kind: 'key',
    corrupt: (draft) => {
      draft.key = null;
    },
  },
  {
    name: 'wrong key',
    error: 'Invalid or inactive API key',
    kind: 'key',
    corrupt: (draft) => {
      draft.key = 'mk_test_wrong';
    },
  },
  {
    name: 'origin',
    error: 'Origin not allowed for this API key',
    corrupt: (draft) => {
      draft.isWeb = true;
      draft.headers['origin'] = 'https://evil.example';
    },
  },
  {
    name: 'rate limit',
    error: 'Rate limit exceeded',
    corrupt: (draft) => {
      draft.isPoor = true;
    },
  },
  {
    name: 'path',
    error: 'Not found',
    kind: 'target',
    corrupt: (draft) => {
      draft.path = '/v2/sessions';
    },
  },
  {
    name: 'method',
    error: 'Method not allowed',
    kind: 'target',
    corrupt: (draft) => {
      draft.method = 'PATCH';
    },
  },
  {
    name: 'content type',
    error: 'Content-Type must be application/json',
    corrupt: (draft) => {
      draft.type = 'text/plain';
    },
  },
  {
    name: 'too large',
    error: 'Request body too large',
    corrupt: ({ body }) => {
      body['pad'] = 'x'.repeat(70_000);
    },
  },
  {
    name: 'too deep',
    error: 'Request body nested too deeply',
    corrupt: ({ body }) => {
      body['deep'] = JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`);
    },
  },
  {
    name: 'malformed',
    error: 'Invalid JSON body',
    corrupt: (draft) => {
      draft.suffix = '}';
    },
  },
  {
    name: 'no object',
    error: 'Request body must be an object',
    corrupt: (draft) => {
      draft.asList = true;
    },
  },
  field(
    'game',
    'chess',
    'Invalid game. Valid: checkers, tictactoe, connect4, fight-arena, pool, ludo',
  ),
  { ...field('mode', 'ranked', 'Invalid mode. Valid: live, test, training'), kind: 'mode' },
  { ...field('players', [{}], 'players[0].id is required'), kind: 'players' },
  field('platform', 'windows', 'Invalid platform. Valid: android, ios'),
  field('integrityToken', 7, 'Invalid integrityToken'),
  field('matchType', 'x', 'Invalid matchType for tictactoe. Valid: matchmaking, private, bot'),
  field('variant', 'x', 'Invalid variant for tictactoe. Valid: standard'),
  field('seats', 3, 'Invalid seats. Valid: 2'),
  field('options', { pace: 1 }, 'Invalid options.pace'),
  field('metadata', { a: 1 }, 'Invalid metadata.a'),
  field('theme', { text: 'red' }, 'Invalid theme.text'),
  {
    name: 'idempotency',
    error: 'Idempotency-Key reused with another request',
    corrupt: ({ headers }) => {
      headers['idempotency-key'] = REUSED_KEY;
    },
  },
  { ...field('mode', 'live', 'Test API key cannot create live sessions'), kind: 'mode' },
  {
    ...field('players', [{ id: 'ann' }, { id: 'ann' }], 'Player already in session'),
    kind: 'players',
  },
];

let http: HttpService;
let ask: Asking;
const keys = new Map<string, string>();
const keyName = (isPoor: boolean, isWeb: boolean): string => `${isPoor} ${isWeb}`;

beforeAll(async () => {
  http = await openHttpService();
  for (const isPoor of [false, true]) {
    // No open session is allowed, so the last check of all refuses otherwise valid requests.
    const limits = { openSessions: 0, ...(isPoor ? { requestsPerMinute: 0 } : {}) };
    const tenant = await http.makeTenant({ limits });
    for (const isWeb of [false, true]) {
      const origins = isWeb ? ['https://app.example'] : [];
      keys.set(keyName(isPoor, isWeb), await http.makeKey(tenant, 'test', { origins }));
    }
  }
  ask = makeAsking(http.app, null);
  // Another request with that key, whose refusal is stored.
  await ask('/v1/sessions', {
    key: keys.get(keyName(false, false))!,
    body: { game: 'connect4', players: [{ id: 'ann' }, { id: 'ann' }] },
    headers: { 'idempotency-key': REUSED_KEY },
  });
});
afterAll(() => http.close());

function send(faults: readonly Fault[]) {
  const draft: Draft = {
    key: 'own',
    isPoor: false,
    isWeb: false,
    method: 'POST',
    path: '/v1/sessions',
    headers: {},
    body: { game: 'tictactoe', players: [{ id: 'ann' }, { id: 'ben' }] },
    type: 'application/json',
    suffix: '',
    asList: false,
  };
  for (const fault of faults) fault.corrupt(draft);
  const text = JSON.stringify(draft.body) + draft.suffix;
  return ask(draft.path, {
    method: draft.method,
    key: draft.key === 'own' ? keys.get(keyName(draft.isPoor, draft.isWeb))! : draft.key,
    raw: draft.asList ? `[${text}]` : text,
    headers: { ...draft.headers, 'content-type': draft.type },
    // Each request from another address, so that wrong keys are never limited here.
    address: `198.51.100.${faults.length}.${FAULTS.indexOf(faults[0]!)}`,
  });
}

test.each(FAULTS.map((fault) => [fault.name, fault] as const))(
  '[H4] one fault: %s',
  async (_, fault) => {
    expect((await send([fault])).json).toEqual({ error: fault.error });
  },
);

test('[H4] of any two faults the first in the order is reported', async () => {
  for (const [i, first] of FAULTS.entries()) {
    for (const second of FAULTS.slice(i + 1)) {
      if (first.kind !== undefined && first.kind === second.kind) continue;
      // An unknown key has no window and no origins.
      http.clock.advance(first.kind === 'key' ? 60_000 : 0);
      const answer = await send([second, first]);
      expect(`${first.name} + ${second.name}: ${answer.json.error}`).toBe(
        `${first.name} + ${second.name}: ${first.error}`,
      );
    }
  }
});

test("[H4] a request that passes every check meets the plan's limits last", async () => {
  expect((await send([])).json).toEqual({ error: 'Open session limit of the plan exceeded' });
});

test('[H4] the resource comes before its state', async () => {
  const key = await http.makeKey(await http.makeTenant(), 'test');
  const { json } = await ask('/v1/sessions', {
    key,
    body: { game: 'tictactoe', players: [{ id: 'ann' }, { id: 'ben' }] },
  });
  const end = (id: string) => ask(`/v1/sessions/${id}/end`, { key, method: 'POST' });
  await end(json.sessionId);
  expect((await end(json.sessionId)).json).toEqual({ error: 'Session has ended' });
  const stranger = await http.makeKey(await http.makeTenant(), 'test');
  const answer = await ask(`/v1/sessions/${json.sessionId}/end`, { key: stranger, method: 'POST' });
  expect(answer.json).toEqual({ error: 'Session not found' });
});
