/** The guide to device integrity is correct, and its samples work. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SETTINGS } from '../../config.ts';
import { REASONS } from '../../integrity/verdict.ts';
import { requestDigest } from '../../runtime/integrity/client-data.ts';
import { type DeviceWorld, openDeviceWorld } from '../service/device-world.ts';
import { presenceOf } from '../service/hosted-asking.ts';
import { makeTempFolder, removeFolder } from '../temp-folder.ts';

const GUIDE = readFileSync(
  path.join(import.meta.dirname, '../../../docs/guides/device-integrity.md'),
  'utf8',
);
const folder = makeTempFolder();
let world: DeviceWorld;
beforeAll(async () => {
  world = await openDeviceWorld();
});
afterAll(async () => {
  await world.close();
  removeFolder(folder);
});

test('[I3] the guide names every reason, and no others', () => {
  const table = GUIDE.split('\n').filter((line) =>
    /^\| `[a-z_]+`.*\| (?:passed|failed|error|skipped) \|/.test(line),
  );
  const named = table.flatMap((line) =>
    Array.from(line.split('|')[1]!.matchAll(/`(\w+)`/g), (m) => m[1]!),
  );
  expect(named.toSorted()).toEqual([...REASONS].sort());
});

test('[I5] the guide names every setting with its default', () => {
  for (const name of [
    'googleAccounts',
    'googleTokenUrl',
    'playIntegrityUrl',
    'appAttestRoots',
    'appAttestEnvironments',
    'integrityRequires',
  ] as const) {
    const { env, otherwise } = SETTINGS[name];
    const row = GUIDE.split('\n').find((line) => line.startsWith(`| \`${env}\` |`));
    expect([env, row]).toEqual([env, expect.stringContaining(otherwise)]);
  }
});

test("[I1][I4] the guide's requests are accepted", async () => {
  const { ask } = await world.makeTenant();
  const bodies = Array.from(GUIDE.matchAll(/-d '(\{.*\})'/g), (found) => JSON.parse(found[1]!));
  expect(bodies).toHaveLength(3);
  for (const body of bodies.slice(0, 2)) {
    const { status, json } = await ask('/v1/integrity', { method: 'PUT', body });
    expect([status, json.credential]).toEqual([200, body.credential]);
  }
  expect((await ask('/v1/integrity/challenge', { body: bodies[2] })).status).toBe(201);
});

test("[I3] the guide's hash of a request is the one that is checked", async () => {
  const code = /```js\n([\s\S]*?)```/.exec(GUIDE)![1]!;
  const file = path.join(folder, 'sample.mjs');
  writeFileSync(file, code);
  const sample = (await import(file)) as {
    requestHash(game: string, matchType: string, players: readonly string[]): string;
  };
  const players = ['ann', 'b"en', '😀'];
  expect(sample.requestHash('ludo', 'private', players)).toBe(
    requestDigest({ game: 'ludo', matchType: 'private', players }).toString('base64url'),
  );
  const tenant = await world.makeTenant();
  const requestHash = sample.requestHash('tictactoe', 'matchmaking', ['ann', 'ben']);
  const { json } = await tenant.create('android', world.mint({ requestHash }));
  expect(json.integrity).toMatchObject({ status: 'passed', bound: 'request' });
});

test("[I3b][I3c][I3d] the guide's texts of other calls are those that are checked", async () => {
  const rows = Array.from(GUIDE.matchAll(/^\| (join|add to a ticket|lobby token) \| `(\{.*\})`/gm));
  const texts = new Map(rows.map(([, call, text]) => [call, text!]));
  const textOf = (call: string, ...values: readonly string[]): string => {
    const rest = [...values];
    return texts.get(call)!.replaceAll('…', () => JSON.stringify(rest.shift()));
  };
  const { ask, tenant } = await world.makeTenant();
  await world.http.store.setPresence(presenceOf(tenant.id, 'test', 'cid'));
  const deviceFor = (text: string) => {
    const requestHash = hash('sha256', text, 'base64url');
    return { platform: 'android', integrityToken: world.mint({ requestHash }) };
  };
  const lobby = deviceFor(textOf('lobby token', 'b"en'));
  const opened = await ask(`/v1/players/${encodeURIComponent('b"en')}/token`, { body: lobby });
  const room = { game: 'tictactoe', matchType: 'private', players: [{ id: 'ann' }] };
  const { roomCode } = (await ask('/v1/sessions', { body: room })).json;
  const device = deviceFor(textOf('join', 'tictactoe', '😀', roomCode));
  const asked = { game: 'tictactoe', roomCode, player: { id: '😀' }, ...device };
  const joined = await ask('/v1/sessions/join', { body: asked });
  const query = '?game=tictactoe';
  const { ticketId } = (await ask(`/matchmaking/hosted/ticket${query}`, { method: 'POST' })).json;
  const added = await ask(`/matchmaking/hosted/ticket/${ticketId}/players${query}`, {
    body: {
      playerId: 'cid',
      ...deviceFor(textOf('add to a ticket', 'tictactoe', 'cid', ticketId)),
    },
  });
  const bounds = [opened, joined, added].map(({ json }) => json.integrity.bound);
  expect(bounds).toEqual(['request', 'request', 'request']);
});
