/** Passkeys over HTTP: signing in with one, and managing one's own (rule D5a). */

import type { Passkey } from '../../../accounts/account.ts';
import type { Problem } from '../../../contract/errors.ts';
import type { FieldsOf } from '../../../contract/routes/dashboard-routes.ts';
import { makeTime } from '../../../match/frames/frames.ts';
import { isRefused } from '../../../runtime/accounts/account-service.ts';
import type { Reply } from '../../request/exchange.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Cookie } from '../request/cookie.ts';
import {
  type AccountRequest,
  type DashboardRequest,
  ok,
  okWith,
} from '../request/dashboard-request.ts';
import { type Enter, problemOf } from './account-refusals.ts';

export function makePasskeyEndpoints(
  { accounts }: DashboardDeps,
  cookie: Cookie,
  enter: Enter,
  /** The session that a browser has: the next one ends it. */
  sessionOf: (token: string | null) => Promise<string | null>,
) {
  return {
    /** The browser stores the challenge: another browser cannot answer it. */
    async offerPasskeySignIn(): Promise<Reply | Problem> {
      const offer = accounts.offerPasskeySignIn();
      return isRefused(offer)
        ? problemOf(offer)
        : okWith({ options: offer.options }, cookie.set(offer.sealed));
    },
    async loginByPasskey({
      fields,
      visitor,
      token,
      challenge,
    }: DashboardRequest<FieldsOf<'loginByPasskey'>>): Promise<Reply | Problem> {
      const answer = { sealed: challenge, answer: fields.passkey };
      return enter(await accounts.loginByPasskey(answer, visitor, await sessionOf(token)));
    },
    listPasskeys: async ({ signedIn }: AccountRequest): Promise<Reply> =>
      ok({ data: (await accounts.listPasskeys(signedIn)).map(presentPasskey) }),
    async offerPasskey({
      fields,
      signedIn,
      visitor,
    }: AccountRequest<FieldsOf<'offerPasskey'>>): Promise<Reply | Problem> {
      const offer = await accounts.offerPasskey(signedIn, fields.password ?? null, visitor);
      return isRefused(offer) ? problemOf(offer) : ok(offer);
    },
    async addPasskey({
      fields,
      signedIn,
      visitor,
    }: AccountRequest<FieldsOf<'addPasskey'>>): Promise<Reply | Problem> {
      const { sealed, name, passkey: answer } = fields;
      const outcome = await accounts.addPasskey(signedIn, { sealed, name, answer }, visitor);
      if (isRefused(outcome)) return problemOf(outcome);
      return enter(outcome, { recoveryCodes: outcome.recoveryCodes });
    },
    async removePasskey({
      params,
      fields,
      signedIn,
      visitor,
    }: AccountRequest<FieldsOf<'removePasskey'>>): Promise<Reply | Problem> {
      const password = fields.password ?? null;
      return enter(await accounts.removePasskey(signedIn, params['passkey']!, password, visitor));
    },
  };
}

function presentPasskey({ id, name, createdAt, lastUsedAt }: Passkey): object {
  return {
    id,
    name,
    createdAt: makeTime(createdAt),
    lastUsedAt: lastUsedAt === null ? null : makeTime(lastUsedAt),
  };
}
