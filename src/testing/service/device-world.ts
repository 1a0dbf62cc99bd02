/** A service whose device checks use the stand-in for Google and a test App Attest authority. */

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Requirement } from '../../integrity/strictness.ts';
import type { Store } from '../../store/whole-store.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { type AttestAuthority, makeAttestAuthority } from '../devices/attest-authority.ts';
import {
  type DeviceTokenWish,
  type GoogleStandIn,
  openGoogleStandIn,
} from '../devices/google-stand-in.ts';
import { MANUAL_CLOCK_START } from '../manual-clock.ts';
import { makeTempFolder, removeFolder } from '../temp-folder.ts';
import { type Ask, type Asked, type Asking, makeAsking } from './asking.ts';
import { type HttpService, openHttpService } from './http-service.ts';

const PROJECT = '123456789012';
export const PACKAGE = 'com.example.game';
export const IOS_CREDENTIAL = { bundleId: 'com.example.game', teamId: 'A1B2C3D4E5' };
export const APP_ID = 'A1B2C3D4E5.com.example.game';
const DEVICE_OK = ['MEETS_DEVICE_INTEGRITY'];

const SESSION = { game: 'tictactoe', players: [{ id: 'ann' }, { id: 'ben' }] };

/** A tenant with both credentials, registered with its live key. */
export interface DeviceTenant {
  readonly tenant: Tenant;
  readonly ask: Asking;
  readonly live: Asking;
  /** Creates a test session with a token of the platform. */
  create(
    platform: 'android' | 'ios',
    integrityToken: string,
    change?: object,
    more?: Ask,
  ): Promise<Asked>;
  challenge(platform: 'android' | 'ios'): Promise<string>;
}

export interface DeviceWorld {
  readonly http: HttpService;
  readonly google: GoogleStandIn;
  readonly authority: AttestAuthority;
  /** The folder of service accounts. */
  readonly accounts: string;
  makeTenant(change?: Partial<Tenant>): Promise<DeviceTenant>;
  /** A token of an Android device, valid by default. */
  mint(wish?: Partial<DeviceTokenWish>): string;
  close(): Promise<void>;
}

export async function openDeviceWorld(
  requires: readonly Requirement[] = [],
  /** A store other than its own file. */
  store: Store | null = null,
  /** Nodes of one store need the same key. */
  sealingKey?: Uint8Array,
): Promise<DeviceWorld> {
  const accounts = makeTempFolder();
  let now = (): number => MANUAL_CLOCK_START;
  const google = await openGoogleStandIn(() => now());
  writeFileSync(path.join(accounts, `${PROJECT}.json`), google.makeAccount(PROJECT));
  const authority = makeAttestAuthority({ now: MANUAL_CLOCK_START });
  const { tokenUrl, playIntegrityUrl } = google;
  const appAttestRoots = authority.rootPem;
  const settings = { accountsFolder: accounts, tokenUrl, playIntegrityUrl, appAttestRoots };
  const http = await openHttpService({}, { ...settings, requires }, {}, store, sealingKey);
  now = () => http.clock.now();
  return {
    http,
    google,
    authority,
    accounts,
    makeTenant: (change) => makeTenant(http, change),
    mint: (wish = {}) =>
      google.mint({
        project: PROJECT,
        packageName: PACKAGE,
        requestedAt: http.clock.now(),
        labels: DEVICE_OK,
        ...wish,
      }),
    async close() {
      await google.close();
      await http.close();
      removeFolder(accounts);
    },
  };
}

/** Puts an account into the folder that only this tenant's checks use. */
export function giveAccount(world: DeviceWorld, tenant: Tenant, project: string): void {
  const folder = path.join(world.accounts, tenant.id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${project}.json`), world.google.makeAccount(project));
}

async function makeTenant(http: HttpService, change: Partial<Tenant> = {}): Promise<DeviceTenant> {
  const tenant = await http.makeTenant(change);
  const ask = makeAsking(http.app, await http.makeKey(tenant, 'test'));
  const live = makeAsking(http.app, await http.makeKey(tenant, 'live'));
  const android = { packageName: PACKAGE, googleCloudProjectNumber: PROJECT };
  for (const [platform, credential] of [
    ['android', android],
    ['ios', IOS_CREDENTIAL],
  ]) {
    await live('/v1/integrity', { method: 'PUT', body: { platform, credential } });
  }
  return {
    tenant,
    ask,
    live,
    create: (platform, integrityToken, change = {}, more = {}) =>
      ask('/v1/sessions', { body: { ...SESSION, platform, integrityToken, ...change }, ...more }),
    challenge: async (platform) =>
      (await ask('/v1/integrity/challenge', { body: { platform } })).json.challenge,
  };
}
