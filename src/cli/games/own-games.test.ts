/**
 * An operator's games on the real server: played, replaced while it runs, and stopped where they
 * fail.
 */

import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ServerProcess } from '../../../e2e/parts/server-process.ts';
import { findNode, freePort, startServer } from '../../../e2e/parts/server-process.ts';
import { gameList } from '../../contract/answers/games-answers.ts';
import { BAD, PIG, PIG_BOT, PIG_FILES, writeGames } from '../../testing/matches/own-games.ts';
import { openSocket, type SocketClient } from '../../testing/sockets/socket-client.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { makeMatchd } from '../matchd.test-kit.ts';

/** Each test starts processes, and the machine may be busy. */
setDefaultTimeout(60_000);

const folder = makeTempFolder();
const root = path.join(folder, 'my-games');
const dataDir = path.join(folder, 'data');
const servers: ServerProcess[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  for (const each of [root, dataDir]) rmSync(each, { recursive: true, force: true });
});
afterAll(() => removeFolder(folder));

async function start(env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const server = await startServer({
    port: await freePort(),
    dataDir,
    env: { MATCHD_GAMES: root, ...env },
  });
  servers.push(server);
  return server;
}

async function ask(
  { url, testKey }: ServerProcess,
  method: string,
  where: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: never }> {
  const response = await fetch(url + where, {
    method,
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as never };
}

interface Opened {
  readonly id: string;
  readonly sockets: readonly [SocketClient, SocketClient];
  /** By seat: the next frame that shows the state, or the end. */
  act(seat: 0 | 1, action: object): void;
}

/** The same match with new sockets. */
async function reopen(server: ServerProcess, { id }: Opened): Promise<Opened> {
  const tokenOf = async (player: string): Promise<string> => {
    const made = await ask(server, 'POST', `/v1/sessions/${id}/players/${player}/token`);
    return (made.body as { token: string }).token;
  };
  return attach(server, id, [await tokenOf('ann'), await tokenOf('ben')]);
}

async function openMatch(server: ServerProcess, game: string): Promise<Opened> {
  const made = await ask(server, 'POST', '/v1/sessions', {
    game,
    players: [{ id: 'ann' }, { id: 'ben' }],
  });
  expect([made.status, made.body]).toEqual([201, expect.anything()]);
  const { sessionId: id, tokens } = made.body as {
    sessionId: string;
    tokens: Record<string, string>;
  };
  return attach(server, id, [tokens['ann']!, tokens['ben']!]);
}

async function attach(
  server: ServerProcess,
  id: string,
  tokens: readonly [string, string],
): Promise<Opened> {
  const sockets = await openSockets(server, tokens);
  let sent = 0;
  const opening = Date.now();
  return {
    id,
    sockets,
    act(seat, action) {
      sent += 1;
      sockets[seat].send({ t: 'act', s: id, id: `${opening}-${sent}`, action });
    },
  };
}

async function openSockets(
  { url }: ServerProcess,
  tokens: readonly [string, string],
): Promise<readonly [SocketClient, SocketClient]> {
  const port = Number(new URL(url).port);
  const [first, second] = await Promise.all(tokens.map((token) => openSocket(port, { token })));
  for (const socket of [first!, second!]) {
    while ((await socket.next('state')).status !== 'active');
  }
  return [first!, second!];
}

/** A game of pig in which each player rolls once and holds, to the end. Returns the reason. */
async function playPig(server: ServerProcess, match: Opened): Promise<string> {
  for (;;) {
    const { body } = await ask(server, 'GET', `/v1/sessions/${match.id}`);
    const { status, result } = body as { status: string; result: { reason: string } | null };
    if (status === 'ended') return result!.reason;
    await playTurn(match);
  }
}

/** Both try: the player who is not to move is refused. */
async function playTurn({ act, sockets }: Opened): Promise<void> {
  for (const seat of [0, 1] as const) {
    for (const move of ['roll', 'hold']) {
      act(seat, { do: move });
      await sockets[seat].next('ack', 'reject', 'over');
    }
  }
}

/** The seat whose action a frame shows; null for none. */
function movedBy(frame: { readonly t: string }): number | null {
  const { t, seat = null } = frame as { readonly t: string; readonly seat?: number };
  return t === 'update' && 'action' in frame ? seat : null;
}

const reasonOf = async (server: ServerProcess, id: string): Promise<string | null> => {
  const { body } = await ask(server, 'GET', `/v1/sessions/${id}`);
  return (body as { result: { reason: string } | null }).result?.reason ?? null;
};

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within 20 s: ${what}`);
    await Bun.sleep(50);
  }
}

describe('an own game', () => {
  test('[S9f] is played to its end, verified, and listed beside the shipped ones', async () => {
    writeGames(root, { ...PIG_FILES, 'pig/bot.ts': PIG_BOT });
    const server = await start();
    const match = await openMatch(server, 'pig');
    expect(await playPig(server, match)).toBe('goal_reached');
    const { body } = await ask(server, 'POST', `/v1/sessions/${match.id}/verify`);
    expect(body as object).toMatchObject({ ok: true });
    const { body: replay } = await ask(server, 'GET', `/v1/sessions/${match.id}/replay`);
    const file = path.join(folder, 'replay.json');
    writeFileSync(file, JSON.stringify(replay));
    const alone = makeMatchd();
    const redone = await alone.run('replay', 'verify', file, '--games', root);
    expect([redone.exit, redone.stdout]).toEqual([0, expect.stringContaining('right, pig')]);
    expect((await alone.run('replay', 'verify', file)).exit).toBe(1);
    alone.close();
    const version = (await ask(server, 'GET', '/version')).body as { games: readonly object[] };
    expect(version.games.at(-1)).toEqual({ game: 'pig', versions: [1] });
    const wrong = await ask(server, 'POST', '/v1/sessions', { game: 'hog' });
    expect((wrong.body as { error: string }).error).toEndWith(', ludo, pig');
    expect(server.log()).toContain('game loaded');
  });

  test('[S9g] is listed with the options of its sessions, and in both documents', async () => {
    const source = PIG.replace(
      'seats: 2,',
      "seats: { min: 2, max: 2 }, variants: ['short', 'long'],",
    );
    writeGames(root, { ...PIG_FILES, 'pig/rules.ts': source });
    const server = await start();
    const { body } = await ask(server, 'GET', '/v1/games');
    const listed = gameList.parse(body).data;
    const ids = listed.map(({ game }) => game);
    expect(ids).toEqual([
      'checkers',
      'tictactoe',
      'connect4',
      'fight-arena',
      'pool',
      'ludo',
      'pig',
    ]);
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(listed.at(-1)).toEqual({
      game: 'pig',
      isShipped: false,
      rulesVersion: 1,
      rulesHash: hash,
      versions: [{ rulesVersion: 1, rulesHash: hash }],
      seats: { min: 2, max: 2, default: 2 },
      variants: [
        { name: 'short', seats: { min: 2, max: 2 } },
        { name: 'long', seats: { min: 2, max: 2 } },
      ],
      options: {},
      turnTimeoutMs: 60_000,
      ticksPerSecond: null,
      isSimultaneous: false,
      openInformation: true,
      drawOffers: false,
      hasBot: true,
      slowCalls: null,
    });
    for (const name of ['openapi', 'asyncapi']) {
      const document = (await ask(server, 'GET', `/${name}.json`)).body as {
        components: { schemas: { Game: { enum: readonly string[] } } };
      };
      expect(document.components.schemas.Game.enum).toEqual(ids);
    }
    writeGames(root, { 'bad/rules.ts': BAD });
    await until(() => server.log().includes('bad: loaded, version'), 'the new game is loaded');
    const later = await ask(server, 'GET', '/openapi.json');
    expect(JSON.stringify(later.body)).toContain('"pig","bad"]');
  });

  for (const [who, files] of [
    ['its bot', { ...PIG_FILES, 'pig/bot.ts': PIG_BOT }],
    ['a search, where it has no bot', PIG_FILES],
  ] as const) {
    test(`[S9f] is played by ${who}, on a thread of its own`, async () => {
      writeGames(root, files);
      const server = await start();
      const { body } = await ask(server, 'POST', '/v1/sessions', { game: 'pig', mode: 'training' });
      const made = body as { sessionId: string; sessionToken: string };
      const { sessionId: s, sessionToken: token } = made;
      const socket = await openSocket(Number(new URL(server.url).port), { token });
      while ((await socket.next('state')).status !== 'active');
      const move = async (id: string, what: string): Promise<void> => {
        socket.send({ t: 'act', s, id, action: { do: what } });
        await socket.next('ack', 'reject');
      };
      for (let n = 0; n < 3; n += 1) {
        await move(`${n}-roll`, 'roll');
        await move(`${n}-hold`, 'hold');
      }
      await until(() => socket.frames.some((frame) => movedBy(frame) === 1), 'a move of the bot');
      expect(server.log()).not.toContain('a bot did not choose for itself');
    });
  }

  test('[S9f] has its files on the players’ page', async () => {
    writeGames(root, { ...PIG_FILES, 'pig/board.ts': 'export const mount = () => {};' });
    const server = await start();
    const manifest = (await ask(server, 'GET', '/play/games/pig.json')).body as {
      board: string;
      rules: readonly { path: string }[];
    };
    for (const file of [manifest.board, manifest.rules[0]!.path]) {
      const response = await fetch(server.url + file);
      expect(response.headers.get('content-type')).toContain('text/javascript');
      expect(await response.text()).toContain('export {');
    }
    expect((await fetch(`${server.url}/demo/pig`)).status).toBe(200);
  });

  test('[S9f] a folder that cannot be loaded stops the start with a line for each fault', async () => {
    writeGames(root, { 'pig/rules.ts': PIG, 'hog/rules.ts': 'export const game = 7;' });
    const matchd = makeMatchd({ MATCHD_GAMES: root });
    const serve = ['serve', '--public-url', 'http://127.0.0.1:1', '--port', '0', '--data', 'd'];
    const { stderr, exit } = await matchd.run(...serve);
    matchd.close();
    const lines = stderr.trim().split('\n');
    expect([exit, lines]).toEqual([
      1,
      [
        'error: hog/rules.ts: game has to be a plain object',
        'pig/rules.ts:3: Could not resolve: "./goal.ts"',
      ],
    ]);
  });
});

const node = findNode();
test.skipIf(node === null)('[S9f] an own game also runs on Node, within its limits', async () => {
  writeGames(root, { ...PIG_FILES, 'bad/rules.ts': BAD });
  const env = { MATCHD_GAMES: root, MATCHD_GAME_CALL_MS: '300' };
  const server = await startServer({ port: await freePort(), dataDir, runtime: 'node', env });
  servers.push(server);
  const [pig, bad] = [await openMatch(server, 'pig'), await openMatch(server, 'bad')];
  bad.act(0, { do: 'loop', at: 0 });
  await until(async () => (await reasonOf(server, bad.id)) !== null, 'the match ends');
  expect(await reasonOf(server, bad.id)).toBe('aborted');
  expect(await playPig(server, pig)).toBe('goal_reached');
  const { body } = await ask(server, 'POST', `/v1/sessions/${pig.id}/verify`);
  expect(body as object).toMatchObject({ ok: true });
});

describe('in development', () => {
  test('[S9f] new matches use a changed game, and running ones continue, also after a restart', async () => {
    writeGames(root, PIG_FILES);
    const server = await start();
    const old = await openMatch(server, 'pig');
    await playTurn(old);
    const kept = (): number => (server.log().match(/pig: loaded, version/g) ?? []).length;
    writeGames(root, { 'pig/goal.ts': 'export const GOAL = 2;\n' });
    await until(() => kept() === 1, 'the change is loaded');
    const short = await openMatch(server, 'pig');
    short.act(0, { do: 'roll' });
    await playPig(server, short);
    const records = async (on: ServerProcess, { id }: Opened): Promise<number> => {
      const { body } = await ask(on, 'POST', `/v1/sessions/${id}/verify`);
      expect(body as object).toMatchObject({ ok: true });
      return (body as { records: number }).records;
    };
    expect(await records(server, short)).toBeLessThan(20);
    writeGames(root, { 'pig/goal.ts': 'export const GOAL = ;' });
    await until(
      () => server.log().includes('the rules loaded before stay in use'),
      'the fault is named',
    );
    expect(server.log()).toMatch(/^pig\/goal\.ts:1: /m);
    expect((await openMatch(server, 'pig')).id).toStartWith('ses_');
    await server.stop();
    writeGames(root, { 'pig/goal.ts': 'export const GOAL = 3;\n' });
    const again = await start();
    // The code that it began with is no longer in the folder.
    expect(await playPig(again, await reopen(again, old))).toBe('goal_reached');
    expect(await records(again, old)).toBeGreaterThan(20);
  });

  test('[S9f] an added game is listed, a removed one is not, whatever else is in the folder', async () => {
    writeGames(root, PIG_FILES);
    const server = await start();
    const match = await openMatch(server, 'pig');
    writeGames(root, { 'bad/rules.ts': BAD });
    await until(() => server.log().includes('bad: loaded, version'), 'the new game is loaded');
    await openMatch(server, 'bad');
    rmSync(path.join(root, 'pig'), { recursive: true });
    await until(() => server.log().includes('pig: removed'), 'the game is gone');
    const refused = await ask(server, 'POST', '/v1/sessions', { game: 'pig' });
    expect((refused.body as { error: string }).error).toEndWith(', ludo, bad');
    expect(await playPig(server, match)).toBe('goal_reached');
  });
});

describe('rules that fail', () => {
  const at = 0;
  const CALL = { MATCHD_GAME_CALL_MS: '300' };

  for (const [what, action, words] of [
    ['throw', { do: 'throw', at }, 'apply threw'],
    ['never end an action', { do: 'loop', at }, 'took longer than 300 ms'],
    ['never end a view', { do: 'hang', at }, 'took longer than 300 ms'],
    ['let their state grow', { do: 'grow', at }, 'a state has 3000'],
  ] as const) {
    test(`[S9f] that ${what} end their match as aborted, are named, and affect no other`, async () => {
      writeGames(root, { ...PIG_FILES, 'bad/rules.ts': BAD });
      const server = await start(CALL);
      const [other, bad] = [await openMatch(server, 'pig'), await openMatch(server, 'bad')];
      const twin = await openMatch(server, 'bad');
      bad.act(0, { do: 'pass', at });
      await bad.sockets[0].next('ack');
      bad.act(1, action);
      await until(async () => (await reasonOf(server, bad.id)) !== null, 'the match ends');
      expect(await reasonOf(server, bad.id)).toBe('aborted');
      expect(server.log()).toContain(words);
      expect(server.log()).toMatch(/"game":"bad".*match broke and was ended/);
      // Another match of the same rules, and one of others.
      twin.act(0, { do: 'win', at });
      await twin.sockets[1].next('over');
      expect(await reasonOf(server, twin.id)).toBe('won');
      expect(await playPig(server, other)).toBe('goal_reached');
    });
  }

  test('[S9f] that never return while a match is loaded end it, too', async () => {
    writeGames(root, { ...PIG_FILES, 'bad/rules.ts': BAD });
    const server = await start(CALL);
    const bad = await openMatch(server, 'bad');
    bad.act(0, { do: 'late', at: Date.now() });
    await bad.sockets[0].next('ack');
    await server.kill();
    await Bun.sleep(3_000);
    const again = await start(CALL);
    await until(async () => (await reasonOf(again, bad.id)) !== null, 'the match ends');
    expect(await reasonOf(again, bad.id)).toBe('aborted');
    expect(await playPig(again, await openMatch(again, 'pig'))).toBe('goal_reached');
  });

  test('[S9f] that are slow are named once in the log and in the list of games, and measured', async () => {
    writeGames(root, { 'bad/rules.ts': BAD });
    const server = await start({ MATCHD_METRICS_TOKEN: 'a-token-of-some-length' });
    const bad = await openMatch(server, 'bad');
    for (const seat of [0, 1, 0, 1] as const) {
      bad.act(seat, { do: 'slow', at });
      await bad.sockets[seat].next('ack');
    }
    const lines = server.log().match(/.*a game's rules are slow.*/g) ?? [];
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ game: 'bad', rulesVersion: 1, what: 'decide', count: 1 }),
    ]);
    const { data } = (await ask(server, 'GET', '/v1/games')).body as {
      data: readonly { readonly game: string; readonly slowCalls: object | null }[];
    };
    const slow = data.filter(({ slowCalls }) => slowCalls !== null);
    expect(slow).toMatchObject([{ game: 'bad', slowCalls: { longestMs: expect.any(Number) } }]);
    const metrics = await fetch(`${server.url}/metrics`, {
      headers: { authorization: 'Bearer a-token-of-some-length' },
    });
    expect(await metrics.text()).toMatch(/matchd_game_rules_seconds_count\{game="bad"\} \d/);
    expect(await reasonOf(server, bad.id)).toBeNull();
  });
});
