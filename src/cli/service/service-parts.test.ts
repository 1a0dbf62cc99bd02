/**
 * `webhooks`, `players` and `bots` against a real service; one command runs as a process, the rest
 * here.
 */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { freePort, type ServerProcess, startServer } from '../../../e2e/parts/server-process.ts';
import { connect } from '../../../sdk/src/client/index.ts';
import { createMatchd, type Matchd } from '../../../sdk/src/server/index.ts';
import { openReceiver, type Receiver } from '../../testing/webhooks/webhook-receiver.ts';
import { type Matchd as Cli, makeMatchd } from '../matchd.test-kit.ts';
import { type Answer, isRefusal, type Report } from '../terminal/answer.ts';
import { plain } from '../terminal/paint.ts';
import { listBots } from './bots.ts';
import { erasePlayer, exportPlayer, listRatingHistory, showPlayer } from './players.ts';
import { listAttempts, listWebhooks, resendEvent, showWebhook, testWebhook } from './webhooks.ts';

setDefaultTimeout(60_000);

let cli: Cli;
let server: ServerProcess;
let api: Matchd;
let receiver: Receiver;
let status = 200;
let to: { readonly url: string; readonly key: string };
beforeAll(async () => {
  cli = makeMatchd();
  server = await startServer({ port: await freePort(), dataDir: path.join(cli.folder, '.matchd') });
  api = createMatchd({ url: server.url, key: server.testKey });
  receiver = await openReceiver(() => ({ status }));
  to = { url: server.url, key: server.testKey };
});
afterAll(async () => {
  await receiver?.close();
  await server?.stop();
  cli.close();
});

async function reportOf(answer: Promise<Answer | null>): Promise<Report> {
  const found = await answer;
  if (found === null || isRefusal(found)) throw new Error(JSON.stringify(found));
  return { ...found, text: plain(found.text) };
}

test('[CLI][E2] webhooks are listed, shown, tested, and their attempts read', async () => {
  const empty = await reportOf(listWebhooks({}, to));
  expect(empty).toEqual({ json: { data: [] }, text: 'No webhooks.' });
  const { id } = await api.webhooks.create({ url: receiver.url, events: ['session.ended'] });
  const listed = await reportOf(listWebhooks({}, to));
  expect(listed.text).toMatch(/^WEBHOOK +MODE +STATUS +URL +EVENTS\n/);
  expect(listed.text).toContain(`${id}  test  active  ${receiver.url}`);
  const delivered = await reportOf(testWebhook({}, id, to));
  expect([delivered.exit, delivered.text]).toEqual([
    0,
    expect.stringMatching(/^Delivered \(status 200\) in \d+ ms: evt_/),
  ]);
  status = 500;
  const refused = await reportOf(testWebhook({}, id, to));
  expect([refused.exit, refused.text]).toEqual([
    1,
    expect.stringContaining('Not delivered (status 500'),
  ]);
  const attempts = await reportOf(listAttempts({}, id, to));
  const { data } = attempts.json as { readonly data: readonly { readonly eventId: string }[] };
  expect(data).toMatchObject([{ status: 500 }, { status: 200, outcome: 'delivered' }]);
  const one = await reportOf(listAttempts({}, id, { ...to, event: data[1]!.eventId }));
  expect(one.json).toMatchObject({ attempts: [{ status: 200 }] });
  expect(one.text).toContain('The payload is not stored.');
  expect((await reportOf(showWebhook({}, id, to))).text).toMatch(/\nwaiting +0\n/);
});

test('[CLI][E2] an event is resent by its id; a failed delivery has exit code 1', async () => {
  const { id } = await api.webhooks.create({ url: receiver.url, events: [] });
  const { eventId } = await api.events.trigger('session.ended');
  status = 204;
  const delivered = await reportOf(resendEvent({}, id, eventId, to));
  expect([delivered.exit, delivered.text]).toEqual([
    0,
    expect.stringMatching(new RegExp(`^Delivered \\(status 204\\) in \\d+ ms: ${eventId}$`)),
  ]);
  status = 500;
  const refused = await reportOf(resendEvent({}, id, eventId, to));
  expect([refused.exit, refused.json]).toMatchObject([1, { eventId, delivered: false, status }]);
  expect(receiver.received.filter((each) => each.id === eventId).length).toBeGreaterThanOrEqual(2);
  const unknown = await cli.run('webhooks', 'resend', id, 'evt_none', '--url', server.url);
  expect(unknown).toEqual({
    exit: 1,
    stdout: '',
    stderr: `error: ${server.url}: Event not found, or no longer kept\n`,
  });
});

test('[CLI][R2] a player is shown, exported once to a file, and erased only after confirmation', async () => {
  await api.sessions.create({ game: 'ludo', players: [{ id: 'ann', displayName: 'Ann' }] });
  expect((await reportOf(showPlayer({}, 'ann', to))).text).toMatch(/^player +ann\nname +Ann\n/);
  const out = path.join(cli.folder, 'ann.json');
  const missing = await exportPlayer({}, 'nobody', { ...to, out });
  expect(missing).toEqual({ exit: 1, error: `${server.url}: Player not found` });
  expect(existsSync(out)).toBe(false);
  const exported = await reportOf(exportPlayer({}, 'ann', { ...to, out }));
  expect(exported.json).toEqual({ player: 'ann', file: out, sessions: 1 });
  expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({ player: { id: 'ann' } });
  expect(await exportPlayer({}, 'ann', { ...to, out })).toMatchObject({ exit: 1 });
  expect(await erasePlayer({}, 'ann', to)).toMatchObject({ exit: 2 });
  expect((await reportOf(showPlayer({}, 'ann', to))).json).toMatchObject({ playerId: 'ann' });
  await reportOf(erasePlayer({}, 'ann', { ...to, yes: true }));
  expect(await showPlayer({}, 'ann', to)).toMatchObject({ exit: 1 });
});

test("[CLI][L4] a player's rated matches are listed with what each did to the rating", async () => {
  const ids = ['liv', 'max'];
  const players = ids.map((id) => ({ id }));
  const { sessionId, tokens } = await api.sessions.create({ game: 'tictactoe', players });
  const clients = ids.map((id) => connect({ url: server.url, token: tokens[id]! }));
  const seats = clients.map((client) => client.session(sessionId));
  while (seats.some(({ view }) => view?.status !== 'active')) await Bun.sleep(20);
  await seats[1]!.resign();
  for (const client of clients) client.close();
  const won = await reportOf(listRatingHistory({}, 'liv', { ...to, game: 'tictactoe' }));
  const { data } = won.json as { readonly data: readonly { readonly after: number }[] };
  expect(data).toMatchObject([{ sessionId, before: 1500, outcome: 'win' }]);
  const { after } = data[0]!;
  const change = `\\+${(after - 1500).toFixed(1)}`;
  expect(won.text).toMatch(
    new RegExp(
      `^TIME +RATING +CHANGE +OUTCOME +SESSION\n\\S+Z  ${after.toFixed(1)}  ${change}  win +${sessionId}$`,
    ),
  );
  const lost = await reportOf(listRatingHistory({}, 'max', { ...to, game: 'tictactoe' }));
  expect(lost.text).toMatch(/ -\d+\.\d {2}loss /);
  const none = await reportOf(listRatingHistory({}, 'liv', { ...to, game: 'ludo' }));
  expect(none).toEqual({ json: { data: [] }, text: 'No rated matches.' });
  expect(await listRatingHistory({}, 'liv', to)).toEqual({
    exit: 2,
    error: '--game <game> is required',
  });
  expect(await listRatingHistory({}, 'nobody', { ...to, game: 'ludo' })).toEqual({
    exit: 1,
    error: `${server.url}: Player not found`,
  });
  const wrong = await cli.run(
    'players',
    'rating-history',
    'liv',
    '--game',
    'go',
    '--url',
    server.url,
    '--json',
  );
  expect([wrong.exit, wrong.stderr]).toEqual([1, expect.stringContaining('Invalid game')]);
});

test('[CLI][B1] bots are listed with their scores; mistyped arguments are reported', async () => {
  await api.bots.create({ game: 'connect4', name: 'conny', kind: 'builtin' });
  const listed = await reportOf(listBots({}, { ...to, game: 'connect4' }));
  expect(listed.text).toMatch(/conny +connect4 +test +builtin .*active +no matches$/m);
  expect(await listBots({}, { ...to, limit: '0' })).toEqual({
    exit: 2,
    error: '--limit: expected 1 to 100',
  });
  const wrong = await cli.run('bots', 'list', '--game', 'go', '--url', server.url, '--json');
  expect([wrong.exit, wrong.stdout]).toEqual([1, '']);
  expect(JSON.parse(wrong.stderr)).toMatchObject({ error: expect.stringContaining('game') });
});
