/** A request to one of the dashboard's own routes, after authentication and validation. */

import type { Role } from '../../../accounts/account.ts';
import type { Problem } from '../../../contract/errors.ts';
import type { SignedIn, Visitor } from '../../../runtime/accounts/account-service.ts';
import type { KeyMode, Tenant } from '../../../tenancy/tenant.ts';
import type { Reply } from '../../request/exchange.ts';
import { makeReply } from '../../request/exchange.ts';

/** What every route gets; `FieldsOf` has the fields of each. */
export interface DashboardRequest<Fields extends object = object> {
  readonly params: Readonly<Record<string, string>>;
  /** Checked against the route's schema. */
  readonly fields: Fields;
  readonly visitor: Visitor;
  /** The cookie's token; null for none. */
  readonly token: string | null;
  /** Sent by browsers when a stream reconnects; null otherwise. */
  readonly lastEventId: string | null;
  /** The passkey challenge that this browser stored; null for none. */
  readonly challenge: string | null;
}

export interface AccountRequest<Fields extends object = object> extends DashboardRequest<Fields> {
  readonly signedIn: SignedIn;
}

export interface TenantRequest<Fields extends object = object> extends AccountRequest<Fields> {
  readonly tenant: Tenant;
  readonly role: Role;
}

export interface WorldRequest<Fields extends object = object> extends TenantRequest<Fields> {
  readonly world: KeyMode;
}

/** A route's result. */
export type RouteResult = Promise<Reply | Problem> | Reply | Problem;

export function actorOf({ signedIn }: AccountRequest): string {
  return `member:${signedIn.account.id}`;
}

export function ok(body: object): Reply {
  return makeReply(200, body);
}

/** With a cookie. */
export function okWith(body: object, setCookie: string, status = 200): Reply {
  return { ...makeReply(status, body), headers: { 'set-cookie': setCookie } };
}
