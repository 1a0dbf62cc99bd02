/** Known browsers of an account, recognized by a sealed mark that the browser stores (rule D2). */

import type { Account } from '../../accounts/account.ts';
import type { AccountDeps, SignedIn } from './account-service.ts';
import { digestOf } from './account-texts.ts';

/** A browser unused for this long is a stranger again. */
export const DEVICE_LIFE_MS = 180 * 86_400_000;

interface Device {
  /** The sign-in that issued the mark: all marks of one sign-in count as one browser. */
  readonly id: string;
  readonly until: number;
}

type DeviceDeps = Pick<AccountDeps, 'sealer' | 'clock'>;

/** The mark grants no access. It only gives a known browser its own count of wrong passwords. */
export function makeDeviceMark(
  { sealer, clock }: DeviceDeps,
  { account, session }: Pick<SignedIn, 'account' | 'session'>,
): string {
  const device: Device = { id: session.id, until: clock.now() + DEVICE_LIFE_MS };
  return sealer.seal(purposeOf(account), JSON.stringify(device));
}

/** The browser's id, however its mark is encoded; null without a mark, or for another account's. */
export function findDevice(
  { sealer, clock }: DeviceDeps,
  account: Account,
  mark: string | null,
): string | null {
  const text = mark === null ? null : sealer.open(purposeOf(account), mark);
  const device = text === null ? null : (JSON.parse(text) as Device);
  return device !== null && device.until > clock.now() ? device.id : null;
}

/** A new password or second factor voids older marks: their browser may be a thief's. */
function purposeOf({ id, passwordHash, totpSecret, passkeyRevision }: Account): string {
  // Marks issued before passkeys existed stay valid.
  const passkeys = passkeyRevision === 0 ? [] : [passkeyRevision];
  return `device ${id} ${digestOf(JSON.stringify([passwordHash, totpSecret, ...passkeys]))}`;
}
