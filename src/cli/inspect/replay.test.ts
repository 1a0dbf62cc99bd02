/** `matchd replay verify` with public keys detects a change of any field of an exported replay. */

import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shippedGames } from '../../games/registry.ts';
import { makeReplay } from '../../match/replay/replay.ts';
import { checkReplay } from '../../runtime/signing/replay-signature.ts';
import { makeSigner } from '../../runtime/signing/signer.ts';
import { thaw } from '../../testing/matches/session-laws.ts';
import { followAll, makeTestRoster, startTrace } from '../../testing/matches/session-trace.ts';
import { makeAsking } from '../../testing/service/asking.ts';
import { openHttpService } from '../../testing/service/http-service.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { testSeals, testSigner } from '../../testing/test-seals.ts';
import { verifyReplayFile } from './replay.ts';

const folder = makeTempFolder();
const [REPLAY, KEYS] = ['replay.json', 'keys.json'].map((name) => join(folder, name)) as [
  string,
  string,
];

const trace = followAll(
  startTrace(),
  [0, 3, 1, 4, 2].map((position, i) => [
    (i + 1) * 1_000,
    { kind: 'act', seat: i % 2, id: `${i}`, action: { position } },
  ]),
);
const replay = thaw(
  testSeals.signReplay(makeReplay(trace.session, makeTestRoster(2), trace.entries)),
);
writeFileSync(KEYS, JSON.stringify({ keys: testSigner.publicKeys }));
afterAll(() => removeFolder(folder));

async function verify(value: unknown, keys: string | null = KEYS) {
  writeFileSync(REPLAY, JSON.stringify(value));
  const answer = await verifyReplayFile(REPLAY, keys, shippedGames);
  if ('error' in answer) throw new Error(answer.error);
  return {
    ...(answer.json as { ok: boolean; signature: object; covers: object }),
    text: answer.text,
  };
}

/** Every leaf of a value, as a path. */
function listLeaves(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const isLeaf = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  if (isLeaf) return [path];
  return Object.entries(value).flatMap(([key, each]) => listLeaves(each, [...path, key]));
}

/** A copy with another value in one place. */
function changeAt<T>(value: T, [key, ...rest]: readonly string[]): T {
  if (key !== undefined) {
    const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[key] = changeAt(copy[key], rest);
    return copy as T;
  }
  const other =
    typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${value ?? ''}0`;
  return other as T;
}

test('[S7a] any change, removal or addition in a signed replay is detected', async () => {
  expect(await verify(replay)).toMatchObject({ ok: true, signature: { state: 'valid' } });
  const leaves = listLeaves(replay);
  expect(leaves.length).toBeGreaterThan(50);
  const answerOf = async (value: unknown): Promise<boolean> => {
    writeFileSync(REPLAY, JSON.stringify(value));
    const answer = await verifyReplayFile(REPLAY, KEYS, shippedGames);
    return 'error' in answer || (answer.json as { ok: boolean }).ok === false;
  };
  for (const leaf of leaves) {
    expect([leaf, await answerOf(changeAt(replay, leaf))]).toEqual([leaf, true]);
  }
  for (const field of Object.keys(replay)) {
    const { [field as never]: _, ...rest } = replay;
    expect([field, await answerOf(rest)]).toEqual([field, true]);
  }
  expect(await answerOf({ ...replay, note: 'added' })).toBe(true);
  expect(await answerOf({ ...replay, signature: { ...replay.signature, note: '' } })).toBe(true);
});

test('[S7c] fields that only a signature covers are named, and reported as not covered without a check', async () => {
  const parts = ['sessionId', 'players: id, displayName and isBot'];
  const checked = await verify(replay);
  expect(checked.covers).toMatchObject({
    signature: expect.arrayContaining(parts),
    rules: expect.arrayContaining(['final state']),
    notCovered: [],
  });
  const unchecked = await verify({ ...replay, sessionId: 'ses_another' }, null);
  expect(unchecked).toMatchObject({ ok: true, signature: { state: 'not_checked' } });
  expect(unchecked.covers).toMatchObject({
    signature: [],
    notCovered: expect.arrayContaining(parts),
  });
  expect(unchecked.text).toContain('The signature was not checked');
});

test('[S7a] another key, a missing signature or missing keys each have an error of their own', async () => {
  const other = makeSigner([new Uint8Array(32).fill(9)]);
  const { signature, ...unsigned } = replay;
  expect(await verify(unsigned)).toMatchObject({ ok: false, signature: { state: 'absent' } });
  const deep = JSON.parse(`{"note":${'['.repeat(50_000)}${']'.repeat(50_000)}}`);
  const nested = { ...unsigned, ...deep, signature };
  expect(checkReplay(testSigner.publicKeys, nested).state).toBe('invalid');
  writeFileSync(KEYS, JSON.stringify({ keys: other.publicKeys }));
  expect(await verify(replay)).toMatchObject({ ok: false, signature: { state: 'unknown_key' } });
  for (const none of ['', '{}', '{"keys":[]}', '{"keys":[{"kty":"OKP"}]}', 'null']) {
    writeFileSync(KEYS, none);
    expect(await verifyReplayFile(REPLAY, KEYS, shippedGames)).toMatchObject({
      error: expect.stringContaining('no JWK set'),
    });
  }
  expect(await verifyReplayFile(REPLAY, join(folder, 'missing'), shippedGames)).toHaveProperty(
    'error',
  );
  // No server listens there.
  expect(
    await verifyReplayFile(REPLAY, 'http://127.0.0.1:9/jwks.json', shippedGames),
  ).toHaveProperty('error');
});

test('[S7a] an exported replay is verified with the keys that the service publishes', async () => {
  const http = await openHttpService();
  const server = Bun.serve({
    port: 0,
    fetch: (request) => http.app.fetch(request, { address: '127.0.0.1' }),
  });
  try {
    const ask = makeAsking(http.app, await http.makeKey(await http.makeTenant(), 'test'));
    const body = { game: 'ludo', players: [{ id: 'ann', displayName: 'Ann' }, { id: 'ben' }] };
    const { sessionId } = (await ask('/v1/sessions', { body })).json;
    const { json } = await ask(`/v1/sessions/${sessionId}/replay`);
    const keys = `http://127.0.0.1:${server.port}/.well-known/jwks.json`;
    expect(await verify(json, keys)).toMatchObject({ signature: { state: 'valid' } });
    const [player] = json.players;
    const renamed = { ...json, players: [{ ...player, displayName: 'Eve' }, json.players[1]] };
    expect(await verify(renamed, keys)).toMatchObject({ signature: { state: 'invalid' } });
  } finally {
    await server.stop(true);
    await http.close();
  }
});
