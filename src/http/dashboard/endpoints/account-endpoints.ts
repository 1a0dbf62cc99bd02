/** Signing in, first steps, and the caller's own account. */

import type { LoginSession, Role } from '../../../accounts/account.ts';
import { parseEmail } from '../../../accounts/account.ts';
import { makeDashboardProblem, makeProblem, type Problem } from '../../../contract/errors.ts';
import type { FieldsOf } from '../../../contract/routes/dashboard-routes.ts';
import { makeTime } from '../../../match/frames/frames.ts';
import { isRefused, type SignedIn } from '../../../runtime/accounts/account-service.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Reply } from '../../request/exchange.ts';
import type { DashboardDeps, SiteDeps } from '../deps.ts';
import type { Cookie, DashboardCookies } from '../request/cookie.ts';
import {
  type AccountRequest,
  type DashboardRequest,
  ok,
  okWith,
} from '../request/dashboard-request.ts';
import { type Enter, problemOf } from './account-refusals.ts';
import { makePasskeyEndpoints } from './passkey-endpoints.ts';

export function makeAccountEndpoints(
  { dashboard, build }: Pick<SiteDeps, 'build' | 'dashboard'>,
  cookies: DashboardCookies,
) {
  /** The browser stores the session; its token is in no response body. */
  const enter: Enter = (entered, body = {}) =>
    isRefused(entered)
      ? problemOf(entered)
      : okWith({ done: true, ...body }, cookies.session.set(entered.token));
  return {
    ...makeEntrance(dashboard, build.version, enter),
    ...makeMe(dashboard, cookies.device),
    ...makeOwnEndpoints(dashboard, cookies.session, enter),
    ...makeTotpEndpoints(dashboard, enter),
    ...makePasskeyEndpoints(dashboard, cookies.challenge, enter, sessionOf(dashboard)),
  };
}

/** The session that a browser has, of any account: the next one ends it. */
const sessionOf =
  ({ accounts }: DashboardDeps) =>
  async (token: string | null): Promise<string | null> =>
    token === null ? null : ((await accounts.find(token))?.session.id ?? null);

/** Open without a sign-in. */
function makeEntrance(dashboard: DashboardDeps, version: string, enter: Enter) {
  const { accounts } = dashboard;
  const replacedBy = sessionOf(dashboard);
  return {
    async status({ token }: DashboardRequest): Promise<Reply> {
      const signedIn = token === null ? null : await accounts.find(token);
      const { passkeyOrigin } = accounts;
      return ok({ signedIn: signedIn !== null, version, passkeyOrigin });
    },
    async lookAtLink({
      fields,
    }: DashboardRequest<FieldsOf<'lookAtLink'>>): Promise<Reply | Problem> {
      const { token } = fields;
      const found = await accounts.peek(token);
      if (found === null) return makeDashboardProblem('link_gone');
      const { kind, tenant, role, email } = found.link;
      const where = tenant === null ? null : await dashboard.tenancy.findTenant(tenant);
      return ok({ kind, role, email, tenant: where?.name ?? null, hasAccount: found.hasAccount });
    },
    async setUp({
      fields,
      visitor,
    }: DashboardRequest<FieldsOf<'setUp'>>): Promise<Reply | Problem> {
      const { token, ...asked } = fields;
      const email = parseEmail(asked.email);
      if (email === null) return makeProblem('invalid_field', { field: 'email' });
      return enter(await accounts.setUp(token, { ...asked, email }, visitor));
    },
    async acceptInvitation({
      fields,
      visitor,
      token: cookie,
    }: DashboardRequest<FieldsOf<'acceptInvitation'>>): Promise<Reply | Problem> {
      const { token, ...asked } = fields;
      return enter(await accounts.accept(token, asked, visitor, await replacedBy(cookie)));
    },
    async resetPassword({
      fields,
      visitor,
      token: cookie,
    }: DashboardRequest<FieldsOf<'resetPassword'>>): Promise<Reply | Problem> {
      const { token, password } = fields;
      return enter(await accounts.reset(token, password, visitor, await replacedBy(cookie)));
    },
    async login({
      fields,
      visitor,
      token,
      challenge,
    }: DashboardRequest<FieldsOf<'login'>>): Promise<Reply | Problem> {
      const { email, password, code, passkey } = fields;
      const signed = passkey == null ? null : { sealed: challenge, answer: passkey };
      const credentials = { email, password, code: code ?? null, passkey: signed };
      const entered = await accounts.login(credentials, visitor, await replacedBy(token));
      const { isPasswordCommon = false } = isRefused(entered) ? {} : entered;
      return enter(entered, isPasswordCommon ? { isPasswordCommon } : {});
    },
  };
}

/** The signed-in account; the browser also gets its device mark, in a cookie of its own. */
function makeMe(dashboard: DashboardDeps, device: Cookie) {
  const { accounts } = dashboard;
  return {
    async me({ signedIn, visitor }: AccountRequest): Promise<Reply> {
      const tenants = await tenantsOf(dashboard, signedIn);
      const { id, email, name, isOperator, totpSecret } = signedIn.account;
      const mark = accounts.markDevice(signedIn, visitor);
      const passkeys = await accounts.listPasskeys(signedIn);
      const body = {
        id,
        email,
        name,
        isOperator,
        hasSecondFactor: totpSecret !== null || passkeys.length > 0,
        hasTotp: totpSecret !== null,
        recoveryCodes: await accounts.countRecoveryCodes(signedIn),
        tenants: tenants.map(({ tenant: { slug, name: called, plan, active }, role }) => ({
          slug,
          name: called,
          plan,
          active,
          role,
        })),
      };
      return mark === null ? ok(body) : okWith(body, device.set(mark));
    },
  };
}

function makeOwnEndpoints(dashboard: DashboardDeps, cookie: Cookie, enter: Enter) {
  const { accounts } = dashboard;
  return {
    async logout({ signedIn }: AccountRequest): Promise<Reply> {
      await accounts.endLogin(signedIn, signedIn.session.id);
      return okWith({ done: true }, cookie.clear());
    },
    async joinTenant({
      fields,
      signedIn,
      visitor,
    }: AccountRequest<FieldsOf<'joinTenant'>>): Promise<Reply | Problem> {
      const { token } = fields;
      return enter(await accounts.join(token, signedIn, visitor));
    },
    async changePassword({
      fields,
      signedIn,
      visitor,
    }: AccountRequest<FieldsOf<'changePassword'>>): Promise<Reply | Problem> {
      const { current, next } = fields;
      return enter(await accounts.changePassword(signedIn, current, next, visitor));
    },
    async listLogins({ signedIn }: AccountRequest): Promise<Reply> {
      const found = await accounts.listLogins(signedIn);
      return ok({ data: found.map((each) => presentLogin(each, signedIn.session.id)) });
    },
    async endLogin({ params, signedIn }: AccountRequest): Promise<Reply | Problem> {
      const isEnded = await accounts.endLogin(signedIn, params['login']!);
      return isEnded ? ok({ done: true }) : makeDashboardProblem('login_not_found');
    },
    endOtherLogins: async ({ signedIn }: AccountRequest): Promise<Reply> =>
      ok({ ended: await accounts.endOtherLogins(signedIn) }),
  };
}

function makeTotpEndpoints({ accounts }: DashboardDeps, enter: Enter) {
  return {
    async offerTotp({
      fields,
      signedIn,
      visitor,
    }: AccountRequest<FieldsOf<'offerTotp'>>): Promise<Reply | Problem> {
      const { password } = fields;
      const offer = await accounts.offerTotp(signedIn, password, visitor);
      return isRefused(offer) ? problemOf(offer) : ok(offer);
    },
    async confirmTotp({
      fields,
      signedIn,
      visitor,
    }: AccountRequest<FieldsOf<'confirmTotp'>>): Promise<Reply | Problem> {
      const { sealed, code } = fields;
      const outcome = await accounts.confirmTotp(signedIn, sealed, code, visitor);
      if (isRefused(outcome)) return problemOf(outcome);
      return enter(outcome, { recoveryCodes: outcome.recoveryCodes });
    },
    async dropTotp({
      fields,
      signedIn,
      visitor,
    }: AccountRequest<FieldsOf<'dropTotp'>>): Promise<Reply | Problem> {
      const { password, code } = fields;
      return enter(await accounts.dropTotp(signedIn, password, code, visitor));
    },
  };
}

/** The tenants and roles of an account. The installation's owner is owner everywhere. */
export async function tenantsOf(
  { tenancy }: Pick<DashboardDeps, 'tenancy'>,
  { account, memberships }: SignedIn,
): Promise<readonly { readonly tenant: Tenant; readonly role: Role }[]> {
  const tenants = await tenancy.listTenants();
  return tenants.flatMap((tenant) => {
    const member = memberships.find((each) => each.tenant === tenant.id);
    const role = account.isOperator ? 'owner' : member?.role;
    return role === undefined ? [] : [{ tenant, role }];
  });
}

function presentLogin(login: LoginSession, current: string): object {
  const { id, createdAt, seenAt, expiresAt, address, agent, passkey } = login;
  return {
    id,
    current: id === current,
    address,
    agent,
    passkey,
    createdAt: makeTime(createdAt),
    seenAt: makeTime(seenAt),
    expiresAt: makeTime(expiresAt),
  };
}
