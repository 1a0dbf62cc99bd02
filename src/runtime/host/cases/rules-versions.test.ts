/** Several versions of a game's rules side by side: each match continues by those it began with. */

import { expect, test } from 'bun:test';
import type { AnyGame } from '../../../../game/src/game.ts';
import { type Games, makeGames, type Rules } from '../../../games/games.ts';
import { tictactoe } from '../../../games/tictactoe/tictactoe.ts';
import { foldSession, RulesMissingError } from '../../../match/evolve.ts';
import type { SessionSetup } from '../../../match/record.ts';
import type { World } from '../../../testing/matches/match-world.ts';
import {
  connect,
  kindsOf,
  logOf,
  mark,
  namesOf,
  openWorld,
  pass,
  passMaintained,
  play,
  restart,
  startMatch,
} from '../../../testing/matches/match-world.ts';
import { testSeals } from '../../../testing/test-seals.ts';
import { verifyLog } from '../../sessions/verify-log.ts';

const engine = tictactoe as unknown as AnyGame;
/** The second version counts cells from the end. */
const mirrored: AnyGame = {
  ...engine,
  rulesVersion: 2,
  apply(state, seat, action, random) {
    const { position } = action as { readonly position: number };
    return engine.apply(state, seat, { position: 8 - position }, random);
  },
};

const HASHES = { first: 'a'.repeat(64), second: 'b'.repeat(64), other: 'c'.repeat(64) };
const first: Rules = { game: engine, bot: null, hash: HASHES.first };
const second: Rules = { game: mirrored, bot: null, hash: HASHES.second };
const both = makeGames([first, second]);

const setupOf = ({ game, hash }: Rules): Partial<SessionSetup> => ({
  rulesVersion: game.rulesVersion,
  rulesHash: hash!,
});

/** A match of each version, with one move made in both. */
async function openBoth(): Promise<World> {
  const world = await openWorld({ games: both });
  for (const [id, rules] of [
    ['ses_1', first],
    ['ses_2', second],
  ] as const) {
    const [x] = await startMatch(world, id, { setup: setupOf(rules) });
    await play(world, id, x!, mark(0));
  }
  return world;
}

async function boardOf(world: World, id: string, games: Games): Promise<unknown> {
  const session = foldSession(games.findPlayed, id, await logOf(world, id));
  return session.status === 'active' && session.play.state;
}

test('[S9b] new sessions use the latest rules, and matches of both versions continue side by side', async () => {
  const world = await openBoth();
  expect(both.find('tictactoe')).toBe(second);
  expect(await boardOf(world, 'ses_1', both)).toEqual({ board: 'X........' });
  expect(await boardOf(world, 'ses_2', both)).toEqual({ board: '........X' });
  const again = await restart(world, 0, both);
  for (const id of ['ses_1', 'ses_2']) {
    const o = await connect(again, id, 1);
    await play(again, id, o, mark(1));
    expect(namesOf(o.take())).toContain('ack 7');
  }
  expect(await boardOf(again, 'ses_1', both)).toEqual({ board: 'XO.......' });
  expect(await boardOf(again, 'ses_2', both)).toEqual({ board: '.......OX' });
});

test('[S9b] a match whose rules are not loaded changes nothing, and continues once they are', async () => {
  const world = await openBoth();
  const before = await kindsOf(world, 'ses_2');
  const without = await restart(world, 0, makeGames([first]));
  const shut = await connect(without, 'ses_2', 1);
  await play(without, 'ses_2', shut, mark(1));
  expect(namesOf(shut.take())).toEqual(['reject unavailable']);
  await passMaintained(without, 120_000);
  expect(await kindsOf(without, 'ses_2')).toEqual(before);
  expect(without.broken.every(([, error]) => error instanceof RulesMissingError)).toBe(true);
  const again = await restart(without, 0, both);
  const o = await connect(again, 'ses_2', 1);
  await play(again, 'ses_2', o, mark(1));
  await pass(again, 0);
  expect(await boardOf(again, 'ses_2', both)).toEqual({ board: '.......OX' });
});

test('[S9b] code with another hash stands in for rules of the same version; the exact code is preferred', () => {
  const ref = { game: 'tictactoe', rulesVersion: 1 };
  const edited: Rules = { ...first, hash: HASHES.other };
  const games = makeGames([first, edited, second]);
  expect(games.findPlayed({ ...ref, rulesHash: HASHES.first })).toBe(first);
  expect(games.findPlayed({ ...ref, rulesHash: HASHES.second })).toBe(edited);
  expect(games.findPlayed(ref)).toBe(edited);
  expect(games.findPlayed({ ...ref, rulesVersion: 3 })).toBeNull();
  expect(games.findPlayed({ ...ref, game: 'go' })).toBeNull();
});

test('[S7][S9b] verify says which rules are missing, and does not say that the match is wrong', async () => {
  const world = await openBoth();
  const stored = (await world.kept.loadSession('ses_2'))!;
  expect(await verifyLog({ seals: testSeals, games: both }, stored)).toMatchObject({ ok: true });
  const games = makeGames([first]);
  expect(await verifyLog({ seals: testSeals, games }, stored)).toMatchObject({
    ok: false,
    v: null,
    error:
      'Not checked: it was played by version 2 of the rules of tictactoe, and this engine has version 1',
  });
});
