/** The example of an external bot against a scripted server: which errors it handles, and for how long. */

import { expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const EXAMPLE = join(import.meta.dirname, '../../examples/bot.mjs');

interface Act {
  readonly path: string;
  readonly id: string;
}

type Answer = (path: string, act: Act | null) => Response;

/** The example with `answer` as its server; its output goes into `said`. */
function startBot(answer: Answer) {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const path = new URL(request.url).pathname;
      if (request.method === 'GET') return answer(path, null);
      return answer(path, { path, ...((await request.json()) as { id: string }) });
    },
  });
  const program = spawn('node', [EXAMPLE, `http://127.0.0.1:${server.port}`, 'mk_test_x', 'bot_x']);
  const told = { said: '' };
  program.stderr.on('data', (text) => {
    told.said += text;
  });
  const ended = once(program, 'close').then(([code]) => code as number | null);
  const stop = async (): Promise<void> => {
    program.kill();
    await Promise.all([ended, server.stop(true)]);
  };
  return { told, ended, stop };
}

const refuse = (status: number, error: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error }, { status, headers });

/** A stream that stays open, with the bot's turn in these sessions. */
function streamOf(...sessions: readonly string[]): Response {
  const states = sessions.map((s) => ({
    t: 'state',
    s,
    v: 3,
    seat: 0,
    turn: 0,
    status: 'active',
    legal: [{ position: 4 }],
  }));
  const line = `${JSON.stringify({ t: 'welcome', states })}\n`;
  return new Response(
    new ReadableStream({ start: (control) => control.enqueue(new TextEncoder().encode(line)) }),
  );
}

test('[B3] examples/bot.mjs retries a refused action when told, and plays on elsewhere', async () => {
  const acts: Act[] = [];
  const times: number[] = [];
  const played = Promise.withResolvers<void>();
  const bot = startBot((_, act) => {
    if (act === null) return streamOf('ses_1', 'ses_2');
    acts.push(act);
    if (act.path === '/v1/sessions/ses_2/actions') return Response.json({ ok: true });
    times.push(performance.now());
    if (times.length === 1) return refuse(503, 'Service is busy');
    if (times.length === 2) return refuse(429, 'Rate limit exceeded', { 'retry-after': '2' });
    played.resolve();
    return Response.json({ ok: true });
  });
  await played.promise;
  await bot.stop();
  const paths = acts.map(({ path }) => path.split('/')[3]!);
  // Waiting for one match must not lose the others on time.
  expect(paths.slice(0, 2).sort()).toEqual(['ses_1', 'ses_2']);
  expect(paths.slice(2)).toEqual(['ses_1', 'ses_1']);
  expect(new Set(acts.map(({ id }) => id))).toEqual(new Set(['v3']));
  expect(times[2]! - times[1]!).toBeGreaterThan(1_900);
  expect(bot.told.said).toContain('503 Service is busy');
  expect(bot.told.said).toContain('429 Rate limit exceeded');
});

test('[B3] examples/bot.mjs reports a final error, and does not retry', async () => {
  let acts = 0;
  const refused = Promise.withResolvers<void>();
  const bot = startBot((_, act) => {
    if (act === null) return streamOf('ses_1');
    acts += 1;
    setTimeout(refused.resolve, 1_500);
    return refuse(409, 'Session is not active');
  });
  await refused.promise;
  await bot.stop();
  expect(acts).toBe(1);
  expect(bot.told.said).toContain('409 Session is not active');
});

for (const [status, error] of [
  [401, 'Invalid or inactive API key'],
  [404, 'Bot not found'],
] as const) {
  test(`[B3] examples/bot.mjs exits with the error if its stream is refused with ${status}`, async () => {
    const bot = startBot(() => refuse(status, error));
    expect(await bot.ended).toBe(1);
    await bot.stop();
    expect(bot.told.said).toContain(`${status} ${error}`);
  });
}
