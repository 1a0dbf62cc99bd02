/**
 * An operator's games on real servers that are killed, upgraded one after the other, and started
 * without old rules.
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRandom } from '../../game/src/random.ts';

import { checkMatch, type LoggedMove } from '../../src/testing/matches/histories.ts';
import { isNatsHere, type NatsServers, startNats } from '../../src/testing/servers/nats.ts';
import {
  isPostgresHere,
  type PostgresServer,
  startPostgres,
} from '../../src/testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { call } from '../parts/matches.ts';
import { makePlayer, type Player } from '../torture/player.ts';
import { makeOperator, type Operator, type ServeNode } from './own-games-serve.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples/games');
const TEST_MS_MAX = 120_000;
const THINK_MS = 60;
/** The first seat takes longer, so that a round of simultaneous moves stays open for a while. */
const SLOW_THINK_MS = 1_000;
/** Moves of a match before its server is ended. */
const MOVES_BEFORE = 4;
/** One with hidden hands, the other with simultaneous moves. */
const GAMES = ['crazy-eights', 'rps-tournament'] as const;
const OPTIONS = { 'crazy-eights': { rounds: 1 }, 'rps-tournament': undefined } as const;
const SEATS = { 'crazy-eights': 2, 'rps-tournament': 6 } as const;

interface Running {
  readonly id: string;
  readonly players: readonly Player[];
}

/** Players who connect to any node, and return when it is lost. */
async function begin(
  at: ServeNode,
  game: (typeof GAMES)[number],
  place: () => ServeNode,
  pace = { thinkMs: THINK_MS },
): Promise<Running> {
  const names = Array.from({ length: SEATS[game] }, (_, n) => `p${n}`);
  const made = (await call(at, 'POST', '/v1/sessions', {
    game,
    seats: names.length,
    players: names.map((id) => ({ id })),
    options: { ...OPTIONS[game] },
  })) as {
    readonly sessionId: string;
    readonly tokens: Readonly<Record<string, string>>;
    readonly players: readonly { readonly id: string; readonly seat: number }[];
  };
  const random = makeRandom(`${TEST_SEED} ${game}`, () => 'moves', 0);
  const players = made.players.map(({ id, seat }) =>
    makePlayer({
      url: () => place().url,
      token: made.tokens[id]!,
      session: made.sessionId,
      seat,
      address: `10.8.0.${seat}`,
      get thinkMs() {
        return game === 'rps-tournament' && seat === 0 ? SLOW_THINK_MS : pace.thinkMs;
      },
      choose: (count) => random.integer(count),
    }),
  );
  return { id: made.sessionId, players };
}

const ackedOf = ({ players }: Running) => players.flatMap(({ acked }) => acked);

const isGoingOn = ({ players }: Running): boolean => !players.some((player) => player.isOver());

/** Until every match is in the middle. */
async function awaitMiddle(matches: readonly Running[]): Promise<void> {
  while (!matches.every((match) => ackedOf(match).length >= MOVES_BEFORE)) await Bun.sleep(20);
  expect(matches.every(isGoingOn)).toBe(true);
}

interface ReplayAnswer {
  readonly rulesVersion: number;
  readonly rulesHash: string;
  readonly result: { readonly reason: string };
  readonly inputs: readonly LoggedMove[];
}

const replayOf = async (at: ServeNode, id: string): Promise<ReplayAnswer> =>
  (await call(at, 'GET', `/v1/sessions/${id}/replay`)) as ReplayAnswer;
const verify = (at: ServeNode, id: string) => call(at, 'POST', `/v1/sessions/${id}/verify`);

/**
 * Played to its end with every acknowledged move in it once, and valid by both ways of
 * verification.
 */
async function finish(
  operator: Operator,
  games: string,
  at: ServeNode,
  match: Running,
): Promise<ReplayAnswer> {
  const { id, players } = match;
  await Promise.all(players.map(({ over }) => over));
  expect(players.flatMap(({ complaints }) => complaints)).toEqual([]);
  const replay = await replayOf(at, id);
  expect(replay.result.reason).not.toMatch(/timeout|disconnect|aborted|expired/);
  // Hidden information is not shown to a player as it is in the log.
  const history = { session: id, acked: ackedOf(match), shown: [], isWhole: false };
  expect(checkMatch(history, replay.inputs)).toEqual([]);
  expect(await verify(at, id)).toMatchObject({ ok: true });
  const file = join(games, '..', `${id}.json`);
  writeFileSync(file, JSON.stringify(replay));
  const checked = await operator.run('replay', 'verify', file, '--games', games);
  expect([checked.exit, checked.said]).toEqual([
    0,
    expect.stringContaining(`version ${replay.rulesVersion}`),
  ]);
  for (const player of players) player.close();
  return replay;
}

/** A folder of games as version 1, and its change to version 2, with another deal. */
function makeGames(folder: string, name: string): string {
  const games = join(folder, name);
  mkdirSync(games);
  for (const id of GAMES) cpSync(join(EXAMPLES, id), join(games, id), { recursive: true });
  return games;
}

function raise(games: string): void {
  const file = join(games, 'crazy-eights/rules.ts');
  const before = readFileSync(file, 'utf8');
  const after = before
    .replace("id: 'crazy-eights',", "id: 'crazy-eights',\n  rulesVersion: 2,")
    .replace('hands.length === 2 ? 7 : 5', 'hands.length === 2 ? 6 : 5');
  expect(after.length).toBeGreaterThan(before.length + 10);
  expect(after).toContain('? 6 : 5');
  writeFileSync(file, after);
}

describe('one server on SQLite', () => {
  const folder = makeTempFolder();
  const operator = makeOperator(folder, {});
  let node: ServeNode;
  let key: string;
  beforeAll(async () => {
    key = await operator.makeKey();
  }, TEST_MS_MAX);
  afterAll(async () => {
    await node?.end('SIGKILL');
    removeFolder(folder);
  }, TEST_MS_MAX);

  test(
    `[P4][S7] SIGKILL during an operator's own games: they continue, and verify (seed ${TEST_SEED})`,
    async () => {
      const games = makeGames(folder, 'killed');
      node = await operator.serve(games, key);
      const matches = await Promise.all(GAMES.map((game) => begin(node, game, () => node)));
      await awaitMiddle(matches);
      await node.end('SIGKILL');
      const before = matches.map((match) => ackedOf(match).length);
      node = await operator.serve(games, key);
      for (const [n, match] of matches.entries()) {
        await finish(operator, games, node, match);
        expect(ackedOf(match).length).toBeGreaterThan(before[n]!);
      }
      await node.end('SIGTERM');
    },
    TEST_MS_MAX,
  );

  test(
    `[S1] a match whose rules are missing waits until they are back (seed ${TEST_SEED})`,
    async () => {
      const games = makeGames(folder, 'gone');
      node = await operator.serve(games, key);
      const ended = await begin(node, 'crazy-eights', () => node);
      await finish(operator, games, node, ended);
      const match = await begin(node, 'crazy-eights', () => node);
      await awaitMiddle([match]);
      await node.end('SIGTERM');
      await operator.run('games', 'freeze', 'crazy-eights', '--games', games);
      raise(games);
      const frozen = join(games, 'crazy-eights/versions/1.mjs');
      const version1 = readFileSync(frozen);
      rmSync(frozen);

      node = await operator.serve(games, key);
      const moves = ackedOf(match).length;
      await Bun.sleep(1_500);
      expect(ackedOf(match).length).toBe(moves);
      expect(isGoingOn(match)).toBe(true);
      expect(await verify(node, ended.id)).toMatchObject({
        ok: false,
        error:
          'Not checked: it was played by version 1 of the rules of crazy-eights, and this engine has version 2',
      });
      expect(node.log()).toContain('the rules of a match are not loaded: it waits for them');
      await node.end('SIGTERM');

      writeFileSync(frozen, version1);
      node = await operator.serve(games, key);
      expect((await finish(operator, games, node, match)).rulesVersion).toBe(1);
      expect(await verify(node, ended.id)).toMatchObject({ ok: true });
      await node.end('SIGTERM');
    },
    TEST_MS_MAX,
  );
});

const canHaveNodes = isPostgresHere() && isNatsHere();

/** With a bus players come to both nodes, and moves cross from one to the other. */
describe.skipIf(!canHaveNodes).each([
  ['alone', false],
  ['and NATS', true],
] as const)('two nodes on PostgreSQL %s', (_, hasBus) => {
  const folder = makeTempFolder();
  const nodes: ServeNode[] = [];
  let postgres: PostgresServer;
  let nats: NatsServers | null;
  let operator: Operator;
  let games: string;
  let key: string;
  let comings = 0;
  const place = () => nodes[hasBus ? comings++ % nodes.length : 0]!;
  beforeAll(async () => {
    postgres = await startPostgres();
    nats = hasBus ? await startNats(1) : null;
    operator = makeOperator(folder, {
      MATCHD_STORE: await postgres.createDatabase(),
      ...(nats && { MATCHD_BUS: nats.urls.join(',') }),
    });
    key = await operator.makeKey();
    games = makeGames(folder, 'games');
    for (let n = 0; n < 2; n += 1) nodes.push(await operator.serve(games, key));
  }, TEST_MS_MAX);
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.end('SIGKILL')));
    await nats?.stop();
    await postgres?.stop();
    removeFolder(folder);
  }, TEST_MS_MAX);

  test(
    `[N2] SIGKILL of the owner of an operator's games: the other node takes over (seed ${TEST_SEED})`,
    async () => {
      const matches = await Promise.all(GAMES.map((game) => begin(nodes[0]!, game, place)));
      await awaitMiddle(matches);
      await nodes.shift()!.end('SIGKILL');
      expect(matches.every(isGoingOn)).toBe(true);
      for (const match of matches) await finish(operator, games, nodes[0]!, match);
      nodes.push(await operator.serve(games, key));
    },
    TEST_MS_MAX,
  );

  test(
    `[N5][S1] a rolling deploy of version 2: matches of both versions end under their own (seed ${TEST_SEED})`,
    async () => {
      const pace = { thinkMs: THINK_MS };
      const old = await begin(nodes[0]!, 'crazy-eights', place, pace);
      await awaitMiddle([old]);
      // Continues slowly, so that it is not over before the deployment is.
      pace.thinkMs = SLOW_THINK_MS;
      const froze = await operator.run('games', 'freeze', 'crazy-eights', '--games', games);
      expect(froze).toMatchObject({ exit: 0 });
      raise(games);
      const last = nodes[1]!;
      nodes.push(await operator.serve(games, key));
      expect(await nodes.shift()!.end('SIGTERM')).toBe(0);
      nodes.reverse();
      expect(nodes[1]).toBe(last);
      const fresh = await begin(nodes[0]!, 'crazy-eights', place);
      expect(await nodes.pop()!.end('SIGTERM')).toBe(0);
      nodes.push(await operator.serve(games, key));
      expect(isGoingOn(old)).toBe(true);
      pace.thinkMs = THINK_MS;
      const [one, two] = [
        await finish(operator, games, nodes[1]!, old),
        await finish(operator, games, nodes[1]!, fresh),
      ];
      expect([one.rulesVersion, two.rulesVersion]).toEqual([1, 2]);
      expect(one.rulesHash).not.toBe(two.rulesHash);
    },
    TEST_MS_MAX,
  );
});
