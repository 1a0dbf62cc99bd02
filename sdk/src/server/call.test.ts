/** The server client with simulated responses: retries, keys, errors, pages, streams. */

import { describe, expect, test } from 'bun:test';
import type { MatchdOptions, ResponseInfo } from './call.ts';
import { MatchdError } from './error.ts';
import { createMatchd, makeMatchd } from './matchd.ts';
import { systemPorts } from './ports.ts';

interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

type Play = (asked: SentRequest, index: number) => Response | Promise<Response>;

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });

/** A client whose responses come from `play`; delays take no time and are noted. */
function makeWorld(play: Play, options: Partial<MatchdOptions> = {}) {
  const asked: SentRequest[] = [];
  const waits: number[] = [];
  const matchd = makeMatchd(
    { url: 'https://play.example.com/', key: 'mk_test_x', ...options },
    {
      ...systemPorts,
      random: () => 1,
      wait: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
      fetch: async (url, init) => {
        const { method = '', headers, body } = init;
        const each = {
          method,
          url,
          headers: headers as Record<string, string>,
          body: body == null ? null : JSON.parse(String(body)),
        };
        asked.push(each);
        const answer = Promise.resolve(play(each, asked.length - 1));
        const aborted = new Promise<never>((_, reject) => {
          init.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
        });
        return Promise.race([answer, aborted]);
      },
    },
  );
  return { matchd, asked, waits };
}

const caught = async (promise: Promise<unknown>): Promise<MatchdError> => {
  const error = await promise.catch((each: unknown) => each);
  if (!(error instanceof MatchdError)) throw new Error(`not thrown, or not ours: ${error}`);
  return error;
};

describe('one call', () => {
  test('[S6] metadata goes into the query as a parameter for its key', async () => {
    const { matchd, asked } = makeWorld(() => json(200, { data: [], nextCursor: null }));
    await matchd.sessions.list({ game: 'ludo', metadata: { 'order id': '7&7' } }).page();
    expect(asked[0]!.url).toBe(
      'https://play.example.com/v1/sessions?game=ludo&metadata%5Border+id%5D=7%267',
    );
  });

  test('[H8] writes have an idempotency key, the same on every attempt; reads have none', async () => {
    const { matchd, asked, waits } = makeWorld((_, index) =>
      index < 2 ? json(503, { error: 'Service unavailable' }) : json(200, { sessionId: 's' }),
    );
    await matchd.sessions.create({ game: 'tictactoe', players: [{ id: 'ada' }] });
    const keys = asked.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(1);
    expect(waits).toEqual([300, 600]);
    await matchd.sessions.create({ game: 'tictactoe', players: [{ id: 'ada' }] });
    await matchd.sessions.get('s');
    expect(asked[3]!.headers['idempotency-key']).not.toBe(keys[0]!);
    expect(asked[4]!.headers['idempotency-key']).toBeUndefined();
  });

  test('[H6] Retry-After is respected, never shortened; over 60 s the call gives up at once', async () => {
    const once = makeWorld((_, index) =>
      index === 0
        ? json(429, { error: 'Rate limit exceeded' }, { 'retry-after': '7' })
        : json(200, {}),
    );
    await once.matchd.whoami();
    expect(once.waits).toEqual([8_400]);
    const never = makeWorld(() =>
      json(
        429,
        { error: 'Monthly session limit of the plan exceeded' },
        { 'retry-after': '61', 'x-error-code': 'session_quota_exceeded' },
      ),
    );
    const error = await caught(never.matchd.whoami());
    expect(error).toMatchObject({ code: 'session_quota_exceeded', retryAfterMs: 61_000 });
    expect(never.asked).toHaveLength(1);
  });

  test('[H2] an error has status, code and request id; a final error is not retried', async () => {
    const { matchd, asked } = makeWorld(() =>
      json(
        409,
        { error: 'Room is already full' },
        { 'x-error-code': 'room_full', 'x-request-id': 'r1' },
      ),
    );
    const error = await caught(matchd.sessions.addBot('s'));
    expect(error).toMatchObject({ status: 409, code: 'room_full', requestId: 'r1' });
    expect(error.message).toBe('Room is already full');
    expect(asked).toHaveLength(1);
  });

  test('[H8] a retry that overtook the first is retried', async () => {
    const { matchd, asked } = makeWorld((_, index) =>
      index === 0
        ? json(409, {}, { 'x-error-code': 'idempotency_in_progress', 'retry-after': '1' })
        : json(200, {}),
    );
    await matchd.sessions.end('s');
    expect(asked).toHaveLength(2);
  });

  test('[H3] a proxy’s page is an error with its status, not a crash', async () => {
    const { matchd } = makeWorld(() => new Response('<h1>Bad Gateway</h1>', { status: 502 }));
    expect(await caught(matchd.whoami())).toMatchObject({ status: 502, code: 'http_502' });
    const odd = makeWorld(() => new Response('<h1>Hello</h1>'));
    expect(await caught(odd.matchd.whoami())).toMatchObject({ status: 200, code: 'bad_answer' });
  });

  test('[H3] a missing network and a late response have codes of their own, and are retried', async () => {
    const broken = makeWorld(() => Promise.reject(new TypeError('fetch failed')));
    expect(await caught(broken.matchd.whoami())).toMatchObject({
      status: 0,
      code: 'network_error',
    });
    expect(broken.asked).toHaveLength(4);
    const silent = makeWorld(() => new Promise(() => {}));
    const error = await caught(silent.matchd.whoami({ timeoutMs: 5, retries: 1 }));
    expect(error.code).toBe('timeout');
    expect(silent.asked).toHaveLength(2);
  });

  test('[H3] the caller’s signal ends it with the signal’s reason, and nothing is retried', async () => {
    const { matchd, asked } = makeWorld(() => new Promise(() => {}));
    const control = new AbortController();
    const reason = new Error('gone home');
    const call = matchd.whoami({ signal: control.signal }).catch((each: unknown) => each);
    control.abort(reason);
    expect(await call).toBe(reason);
    expect(asked.length).toBeLessThan(2);
  });

  test('[H11] ids are encoded into paths unchanged, and none can name another path', async () => {
    const { matchd, asked } = makeWorld(() => json(200, {}));
    await matchd.players.get('a/b?c#d é%2F');
    expect(asked[0]!.url).toBe('https://play.example.com/v1/players/a%2Fb%3Fc%23d%20%C3%A9%252F');
    for (const id of ['', '.', '..']) {
      await expect(matchd.players.erase(id)).rejects.toThrow('playerId cannot be');
    }
    expect(asked).toHaveLength(1);
  });

  test('[H6] responses are reported for logs, with the rest of the plan’s window', async () => {
    const notes: ResponseInfo[] = [];
    const { matchd } = makeWorld(
      () => json(200, {}, { 'x-ratelimit-remaining': '59', 'x-ratelimit-reset': '1700000000' }),
      { onResponse: (note) => void notes.push(note) },
    );
    await matchd.whoami();
    expect(notes).toMatchObject([
      {
        method: 'GET',
        path: '/v1/whoami',
        status: 200,
        attempt: 0,
        rateLimit: { remaining: 59, resetAt: 1_700_000_000_000 },
      },
    ]);
  });
});

describe('caller errors', () => {
  const thrownBy = (make: () => unknown): unknown => {
    try {
      return make();
    } catch (error) {
      return error;
    }
  };

  test('[H3] a key that does not fit into a header is an error at once, and is not shown', () => {
    const make = (key: string) => thrownBy(() => makeWorld(() => json(200, {}), { key }));
    for (const [key, sign] of [
      ['mk_test_…', '"…"'],
      ['mk_test_\nx', '"\\n"'],
      ['mk_test_\u2028', '"\u2028"'],
    ] as const) {
      const error = make(key);
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toBe(`TypeError: key cannot be sent: its character 9 is ${sign}`);
    }
    // As it is read from a file: fetch itself drops the line end.
    expect(make('mk_test_x\n')).not.toBeInstanceOf(Error);
  });

  test('[H3] an invalid idempotency key too, before anything is sent', async () => {
    const { matchd, asked, waits } = makeWorld(() => json(200, {}));
    const end = (idempotencyKey: string) => matchd.sessions.end('s', '', { idempotencyKey });
    const error = await end('order-→4711').catch((each: unknown) => each);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain('idempotencyKey cannot be sent: its character 7 is "→"');
    expect([asked.length, waits.length]).toEqual([0, 0]);
    await end('Auftrag-für-4711');
    expect(asked).toHaveLength(1);
  });

  test('[H3] an error thrown by onResponse rejects the call unchanged, and nothing is sent again', async () => {
    const passing = new MatchdError('mine', { status: 503, code: 'unavailable' });
    for (const thrown of [new TypeError('my logger broke'), passing, 'a word']) {
      for (const status of [200, 503]) {
        const onResponse = (): void => {
          throw thrown;
        };
        const { matchd, asked } = makeWorld(() => json(status, {}), { onResponse });
        expect(await matchd.whoami().catch((each: unknown) => each)).toBe(thrown);
        expect(asked).toHaveLength(1);
      }
    }
  });

  test('[H3] a response that is not read because of that is cancelled', async () => {
    let signal: AbortSignal | null | undefined;
    const matchd = createMatchd({
      url: 'https://play.example.com',
      key: 'mk_test_x',
      fetch: (_, init) => {
        signal = init.signal;
        return Promise.resolve(json(200, {}));
      },
      onResponse: () => {
        throw new Error('my logger broke');
      },
    });
    await matchd.whoami().catch(() => {});
    expect(signal?.aborted).toBe(true);
  });

  const passing = new MatchdError('mine', { status: 503, code: 'unavailable' });
  test.each([
    ['any error', new TypeError('my logger broke')],
    ['one that looks like an answer', passing],
  ] as const)('[H3] a stream also throws it, and is not opened again: %s', async (_, thrown) => {
    let answers = 0;
    const onResponse = (): void => {
      answers += 1;
      if (answers === 2) throw thrown;
    };
    const { matchd, asked } = makeWorld(() => piecesOf('{"t":"welcome"}\n'), { onResponse });
    const open = (id: string) => matchd.bots.stream(id)[Symbol.asyncIterator]();
    const frames = open('bot_1');
    await frames.next();
    expect(await frames.next().catch((each: unknown) => each)).toBe(thrown);
    expect(asked).toHaveLength(2);
    await expect(open('').next()).rejects.toThrow('botId cannot be');
    expect(asked).toHaveLength(2);
  });
});

describe('lists', () => {
  test('[H9] pages are read one after another, and only as far as needed', async () => {
    const { matchd, asked } = makeWorld(({ url }) => {
      const at = Number(new URL(url).searchParams.get('cursor') ?? 0);
      return json(200, { data: [at, at + 1], nextCursor: at < 4 ? `${at + 2}` : null });
    });
    const all: unknown[] = [];
    for await (const each of matchd.sessions.list({ game: 'ludo' })) all.push(each);
    expect(all).toEqual([0, 1, 2, 3, 4, 5]);
    expect(asked[0]!.url).toBe('https://play.example.com/v1/sessions?game=ludo');
    for await (const _ of matchd.sessions.list()) break;
    expect(asked).toHaveLength(4);
    const page = await matchd.sessions.list().page('4');
    expect(page.nextCursor).toBeNull();
  });

  test('[M4] the pool’s groups are a list like the others', async () => {
    const { matchd } = makeWorld(() => json(200, { groups: [{ id: 'g' }], nextCursor: null }));
    const all: unknown[] = [];
    for await (const each of matchd.hosted.pool({ game: 'ludo' })) all.push(each.id);
    expect(all).toEqual(['g']);
  });
});

/** A body that arrives in these chunks and then ends. */
const piecesOf = (...pieces: readonly string[]): Response =>
  new Response(
    new ReadableStream({
      start(control) {
        for (const piece of pieces) control.enqueue(new TextEncoder().encode(piece));
        control.close();
      },
    }),
  );

describe('streams', () => {
  test('[E2] a broken stream of events resumes after the last complete one', async () => {
    const event = (id: string) => JSON.stringify({ id, type: 'session.ended', data: {} });
    const { matchd, asked } = makeWorld((_, index) =>
      index === 0
        ? piecesOf(
            'id: evt_0\n\n: he',
            `re\n\nid: evt_1\nevent: x\ndata: ${event('evt_1')}\n\nid: evt_2\nda`,
          )
        : piecesOf(`id: evt_2\ndata: ${event('evt_2')}\n\n`),
    );
    const ids: string[] = [];
    for await (const each of matchd.events.stream({ types: ['session.ended'] })) {
      ids.push(each.id);
      if (ids.length === 2) break;
    }
    expect(ids).toEqual(['evt_1', 'evt_2']);
    expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'evt_1']);
  });

  test('[E2] a stream that broke before its first event resumes from where it began', async () => {
    const event = JSON.stringify({ id: 'evt_1', type: 'session.ended', data: {} });
    const { matchd, asked } = makeWorld((_, index) =>
      index === 0
        ? piecesOf(': here\nid: evt_0\n\n')
        : piecesOf(`: here\nid: evt_0\n\nid: evt_1\ndata: ${event}\n\n`),
    );
    for await (const each of matchd.events.stream()) {
      expect(each.id).toBe('evt_1');
      break;
    }
    expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'evt_0']);
  });

  test('[E2] a permanently refused stream throws, and an aborted one just ends', async () => {
    const { matchd } = makeWorld(() => json(401, {}, { 'x-error-code': 'invalid_api_key' }));
    const first = matchd.events.stream()[Symbol.asyncIterator]().next();
    expect(await caught(first)).toMatchObject({ code: 'invalid_api_key' });
    const control = new AbortController();
    const open = makeWorld(() => new Response(new ReadableStream({ start() {} })));
    setTimeout(() => control.abort(), 5);
    for await (const _ of open.matchd.events.stream({ signal: control.signal })) break;
    expect(open.asked).toHaveLength(1);
  });

  test('[B3] a bot’s lines are frames, blank ones are ignored', async () => {
    const { matchd, asked } = makeWorld(() => piecesOf('{"t":"welcome"}\n\n\n{"t":"st', 'ate"}\n'));
    const seen: string[] = [];
    for await (const { t } of matchd.bots.stream('bot_1')) {
      seen.push(t);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual(['welcome', 'state']);
    expect(asked[0]!.headers['accept']).toBe('application/x-ndjson');
  });
});
