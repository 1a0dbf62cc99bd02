/** The shares of the queue that a password check counts against. Limits leave room for others (rule D2). */

import type { AccountLink } from '../../accounts/account.ts';
import { addressKey, siteKey } from '../../tenancy/address.ts';
import type { Visitor } from './account-service.ts';
import type { WorkFor, WorkKind } from './work-queue.ts';

/** Of one account, from one address, by invitations of one tenant. */
const EACH_MAX = 3;
/** From one IPv6 site, which has many addresses. */
const SITE_MAX = 6;
/** Of one link: it is valid once. */
const LINK_MAX = 1;

type From = Pick<Visitor, 'address'>;

/** Each kind has its own shares: guessing strangers take no slot of known browsers. */
export function workFor(kind: WorkKind, email: string, { address }: From): WorkFor {
  const site = siteKey(address);
  const shares = [
    { name: `${kind} account ${email}`, max: EACH_MAX },
    { name: `${kind} address ${addressKey(address)}`, max: EACH_MAX },
    ...(site === null ? [] : [{ name: `${kind} site ${site}`, max: SITE_MAX }]),
  ];
  return { kind, shares };
}

/** For the holder of a valid link. */
export function workByLink(
  { id, tenant }: Pick<AccountLink, 'id' | 'tenant'>,
  email: string,
  from: From,
): WorkFor {
  const { kind, shares } = workFor('linked', email, from);
  const ofLink = [
    { name: `link ${id}`, max: LINK_MAX },
    ...(tenant === null ? [] : [{ name: `tenant ${tenant}`, max: EACH_MAX }]),
  ];
  return { kind, shares: [...shares, ...ofLink] };
}
