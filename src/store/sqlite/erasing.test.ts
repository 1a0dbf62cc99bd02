/** Erasures of players whose tenant has very many stored responses. */

import { afterEach, expect, test } from 'bun:test';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { answerOf, T0, TENANT } from '../contract/stage.ts';
import { makeErasingStore } from '../scripts/erasures.ts';
import { FORGET_ANSWERS } from '../scripts/shared/forgotten-answers.ts';
import type { IdempotencyRow } from '../store.ts';
import type { Store } from '../whole-store.ts';
import { WORLDS } from '../world.ts';
import { openDatabase } from './file/open.ts';
import { makeRunner } from './runner.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { startGroupCommit } from './writer/group-commit.ts';

/** More than two steps examine. */
const ANSWERS = 2_345;
const TOKEN_PATH = '/v1/players/:playerId/token#';

let store: Store;
let folder: string;
afterEach(async () => {
  await store.close();
  removeFolder(folder);
});

async function open(): Promise<void> {
  folder = makeTempFolder();
  store = await openSqliteStore(`${folder}/a.db`);
}

const namePlayer = (playerId: string) =>
  store.namePlayer(
    {
      tenant: TENANT,
      world: 'live',
      playerId,
      newRef: `ply_${playerId}`,
      displayName: 'Ann',
      at: T0,
    },
    null,
  );

/** Those that are still stored. */
async function left(answers: readonly IdempotencyRow[]): Promise<readonly string[]> {
  const found = await Promise.all(answers.map((each) => store.findIdempotent(each, T0)));
  return answers.filter((_, n) => found[n] !== null).map(({ key }) => key);
}

/** Every fifth names ann, also at the ends of steps; the order of keys is that of the numbers. */
function manyAnswers(fieldsOf: (name: string, n: number) => Partial<IdempotencyRow>) {
  return Array.from({ length: ANSWERS }, (_, n) => {
    const isAnns = n % 5 === 0 || n === 999 || n === 1_999 || n === ANSWERS - 1;
    const key = `k${String(n).padStart(5, '0')}`;
    return { isAnns, row: answerOf(key, fieldsOf(isAnns ? 'ann' : `p${n}`, n)) };
  });
}

for (const isKnown of [true, false]) {
  test(`[R2][H8] of very many stored responses, exactly those go that name ${isKnown ? 'a player' : 'a holder of a lobby token'}`, async () => {
    await open();
    if (isKnown) await namePlayer('ann');
    const answers = manyAnswers((name, n) =>
      isKnown
        ? { body: `{"players":[{"id":"${name}"}]}`, path: n % 2 === 0 ? '/v1/sessions' : '/v1/x' }
        : { mint: JSON.stringify({ player: name }), path: `${TOKEN_PATH}${n % 7}` },
    );
    await Promise.all(answers.map(({ row }) => store.keepIdempotent(row)));
    expect(await store.erasePlayer(TENANT, WORLDS, 'ann', T0)).toBe(isKnown);
    const kept = answers.flatMap(({ isAnns, row }) => (isAnns ? [] : [row.key]));
    expect(await left(answers.map(({ row }) => row))).toEqual(kept);
  });
}

test('[R2] a response stored during the search goes, too', async () => {
  await open();
  await namePlayer('ann');
  const others = manyAnswers((_, n) => ({ body: `{"id":"p${n}"}` })).map(({ row }) => row);
  await Promise.all(others.map((row) => store.keepIdempotent(row)));
  // It sorts before all others, where the search has already been.
  const late = answerOf('a', { body: '{"id":"ann"}' });
  const file = `${folder}/a.db`;
  const writer = await startGroupCommit({ file, waitMs: 1_000, headFile: null }, () => {});
  const readDb = openDatabase(file, 'read');
  const runner = makeRunner(writer, readDb);
  const write: typeof runner.write = async (script, ask) => {
    const answer = await runner.write(script, ask);
    if (script.name === FORGET_ANSWERS.name) await store.keepIdempotent(late);
    return answer;
  };
  const { erasePlayer } = makeErasingStore({ ...runner, write }, store.findPlayer);
  expect(await erasePlayer(TENANT, WORLDS, 'ann', T0)).toBe(true);
  await writer.close();
  readDb.close();
  expect(await left([late])).toEqual([]);
  expect(await left(others)).toHaveLength(ANSWERS);
});

test('[R2] a player who becomes known during the search is forgotten like a known one', async () => {
  await open();
  const created = answerOf('k', { body: '{"players":[{"id":"ann"}]}' });
  await store.keepIdempotent(created);
  const erasing = store.erasePlayer(TENANT, WORLDS, 'ann', T0);
  await namePlayer('ann');
  expect(await erasing).toBe(true);
  expect(await left([created])).toEqual([]);
});

test('[R2] a parallel write waits for one step of one erasure, not for all of them', async () => {
  await open();
  const others = manyAnswers((_, n) => ({ body: `{"id":"p${n}"}` })).map(({ row }) => row);
  await Promise.all(others.map((row) => store.keepIdempotent(row)));
  const order: string[] = [];
  const erasures = ['x', 'y', 'z'].map((id) =>
    store.erasePlayer(TENANT, WORLDS, id, T0).then(() => order.push(id)),
  );
  const theirs = answerOf('theirs', { tenant: 'ten_b' });
  await store.keepIdempotent(theirs).then(() => order.push('theirs'));
  await Promise.all(erasures);
  expect(order).toEqual(['theirs', 'x', 'y', 'z']);
});
