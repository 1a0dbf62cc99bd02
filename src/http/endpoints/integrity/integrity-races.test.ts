/**
 * One device token, sent to two nodes of one database concurrently, and to every call that accepts
 * one.
 */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { openPostgresStore } from '../../../store/postgres/postgres-store.ts';
import type { AttestDevice } from '../../../testing/devices/attest-authority.ts';
import { migratedDatabase } from '../../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../../testing/servers/postgres.ts';
import { type Asked, type Asking, makeAsking } from '../../../testing/service/asking.ts';
import {
  APP_ID,
  type DeviceTenant,
  type DeviceWorld,
  openDeviceWorld,
} from '../../../testing/service/device-world.ts';
import { type HttpService, openHttpService } from '../../../testing/service/http-service.ts';

setDefaultTimeout(60_000);

const TIMES = 50;
const SESSION = { game: 'tictactoe', players: [{ id: 'ann' }, { id: 'ben' }] };
const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const envelope = (fields: object): string =>
  Buffer.from(JSON.stringify(fields)).toString('base64url');
const judged = ({ status, json }: Asked): unknown[] => [
  status,
  json.integrity.status,
  ...json.integrity.reasons,
];

describe.skipIf(!isPostgresHere())('on two nodes', () => {
  let world: DeviceWorld;
  let second: HttpService;
  let acme: DeviceTenant;
  /** The test key at each of the nodes. */
  let nodes: readonly [Asking, Asking];

  beforeAll(async () => {
    const url = await migratedDatabase();
    const sealingKey = new Uint8Array(32).fill(7);
    const first = await openPostgresStore({ url, node: 'nod_one' });
    world = await openDeviceWorld([], first, sealingKey);
    const { tokenUrl, playIntegrityUrl } = world.google;
    const appAttestRoots = world.authority.rootPem;
    const settings = { accountsFolder: world.accounts, tokenUrl, playIntegrityUrl, appAttestRoots };
    const store = await openPostgresStore({ url, node: 'nod_two' });
    second = await openHttpService({}, settings, {}, store, sealingKey);
    acme = await world.makeTenant();
    const key = await world.http.makeKey(acme.tenant, 'test');
    nodes = [makeAsking(world.http.app, key), makeAsking(second.app, key)];
  });
  afterAll(async () => {
    await second?.close();
    await world?.close();
  });

  const create = (asking: Asking, platform: string, integrityToken: string): Promise<Asked> =>
    asking('/v1/sessions', { body: { ...SESSION, platform, integrityToken } });
  const race = (platform: string, tokenOf: (i: number) => string): Promise<Asked[]> =>
    Promise.all(
      Array.from({ length: TIMES }, (_, i) => create(nodes[i % 2]!, platform, tokenOf(i))),
    );
  const challenge = async (): Promise<string> =>
    (await nodes[0]('/v1/integrity/challenge', { body: { platform: 'ios' } })).json.challenge;
  async function attest(device: AttestDevice): Promise<void> {
    const over = await challenge();
    const attestation = base64(device.attest({ clientDataHash: sha256(over), appId: APP_ID }));
    const made = await create(nodes[0], 'ios', envelope({ attestation, challenge: over }));
    expect(judged(made)).toEqual([201, 'passed']);
  }
  function assertion(device: AttestDevice, counter: number, over: string): string {
    const signed = device.assert({ counter, clientDataHash: sha256(over), appId: APP_ID });
    return envelope({ keyId: base64(device.keyId), assertion: base64(signed), challenge: over });
  }

  test(`[I3] of ${TIMES} concurrent uses of one Google token one passes`, async () => {
    const token = world.mint();
    const answers = await race('android', () => token);
    const passed = answers.filter(({ json }) => json.integrity?.status === 'passed');
    expect(passed).toHaveLength(1);
    const others = answers.filter(({ json }) => json.integrity?.status !== 'passed').map(judged);
    expect(new Set(others.map(String))).toEqual(new Set(['201,failed,token_replayed']));
    // On either node, in live mode, for another tenant, a lobby and a join it is used up.
    const other = await world.makeTenant();
    const proof = { platform: 'android', integrityToken: token };
    const room = { game: 'tictactoe', players: [{ id: 'ann' }] };
    const { roomCode } = (await nodes[0]('/v1/sessions', { body: room })).json;
    const joins = { game: 'tictactoe', roomCode, player: { id: 'ben' }, ...proof };
    for (const again of [
      await create(nodes[0], 'android', token),
      await create(nodes[1], 'android', token),
      await create(acme.live, 'android', token),
      await other.create('android', token),
      await nodes[1]('/v1/players/ann/token', { body: proof }),
      await nodes[1]('/v1/sessions/join', { body: joins }),
    ]) {
      expect(judged(again).slice(1)).toEqual(['failed', 'token_replayed']);
    }
  });

  test(`[I3] of ${TIMES} concurrent uses of one assertion one passes`, async () => {
    const device = world.authority.makeDevice();
    await attest(device);
    const token = assertion(device, 1, await challenge());
    const answers = await race('ios', () => token);
    const passed = answers.filter(({ json }) => json.integrity?.status === 'passed');
    expect(passed).toHaveLength(1);
  });

  test(`[I3] of ${TIMES} concurrent assertions with one counter one passes, and only higher ones after it`, async () => {
    const device = world.authority.makeDevice();
    await attest(device);
    const tokens: string[] = [];
    for (let i = 0; i < TIMES; i++) tokens.push(assertion(device, 5, await challenge()));
    const answers = await race('ios', (i) => tokens[i]!);
    const passed = answers.filter(({ json }) => json.integrity?.status === 'passed');
    expect(passed).toHaveLength(1);
    const at = async (node: 0 | 1, counter: number) =>
      judged(await create(nodes[node], 'ios', assertion(device, counter, await challenge())));
    for (const counter of [5, 4, 1])
      expect([counter, ...(await at(1, counter))]).toEqual([
        counter,
        201,
        'failed',
        'counter_regressed',
      ]);
    expect(await at(0, 6)).toEqual([201, 'passed']);
    expect(await at(1, 900)).toEqual([201, 'passed']);
    expect(await at(0, 7)).toEqual([201, 'failed', 'counter_regressed']);
  });
});
