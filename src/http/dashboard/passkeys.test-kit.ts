/** Members with passkeys, for tests of the dashboard's routes. */

import {
  type Credential,
  createCredential,
  type KeyKind,
  type Lies,
  type SignedAnswer,
  signWith,
} from '../../testing/devices/software-authenticator.ts';
import {
  type BrowserAnswer,
  type DashboardBrowser,
  makeBrowser,
} from '../../testing/service/dashboard-browser.ts';
import { type HttpService, PUBLIC_URL } from '../../testing/service/http-service.ts';

/** An offer: the sealed challenge and the options. */
interface Offered {
  readonly sealed: string;
  readonly options: object;
}

export async function offerFor(browser: DashboardBrowser, body: object = {}): Promise<Offered> {
  const offer = await browser.ask('/me/passkeys/offer', { body });
  if (offer.status !== 200) throw new Error(offer.text);
  return offer.json as unknown as Offered;
}

interface Adding {
  readonly name?: string;
  readonly kind?: KeyKind;
  readonly counts?: boolean;
  readonly lies?: Lies;
}

/** Requests the options, creates a credential and sends it. */
export async function add(
  browser: DashboardBrowser,
  { name = 'My key', ...how }: Adding = {},
): Promise<{ readonly answer: BrowserAnswer; readonly credential: Credential }> {
  const { sealed, options } = await offerFor(browser);
  const { credential, answer: passkey } = createCredential(options, PUBLIC_URL, how);
  const answer = await browser.ask('/me/passkeys', { body: { sealed, name, passkey } });
  return { answer, credential };
}

/** A browser that was asked for a passkey, and the response it signs. */
export async function signIn(
  browser: DashboardBrowser,
  credential: Credential,
  lies: Lies = {},
): Promise<SignedAnswer> {
  const offer = await browser.ask('/passkey/offer', { method: 'POST' });
  return signWith(credential, offer.json['options'] as object, PUBLIC_URL, lies);
}

export async function loginBy(
  browser: DashboardBrowser,
  credential: Credential,
  lies: Lies = {},
): Promise<BrowserAnswer> {
  const passkey = await signIn(browser, credential, lies);
  return browser.ask('/passkey/login', { body: { passkey } });
}

let addresses = 0;

/** From an address of its own, so that failures of others do not limit it. */
export function stranger(world: HttpService): DashboardBrowser {
  addresses += 1;
  return makeBrowser(world, `198.51.${addresses >> 8}.${addresses & 255}`);
}
