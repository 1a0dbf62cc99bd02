/** The dashboard's routes and who may use them: one declaration, which its test covers completely (rule D6). */

import type { z } from 'zod';
import type { Role } from '../../accounts/account.ts';
import * as requests from '../requests/dashboard-requests.ts';
import type { KeyOperationId, Method } from './routes.ts';

export const DASHBOARD_API = '/dashboard/api';
/** One mode of one tenant. It is part of the path, so that the two are never confused (rule D7). */
export const WORLD_PATH = `${DASHBOARD_API}/t/:tenant/:world`;

/** `account`: any signed-in account. `operator`: an operator of the installation. Roles are in the tenant. */
export type Allowed = 'anyone' | 'account' | 'operator' | readonly Role[];

export interface DashboardRoute {
  readonly method: Method;
  readonly path: string;
  readonly operation: string;
  readonly allowed: Allowed;
  /** Null: no body. */
  readonly body: z.ZodObject | null;
  readonly query: z.ZodObject | null;
}

const ALL: Allowed = ['owner', 'developer', 'support', 'viewer'];
const MAKERS: Allowed = ['owner', 'developer'];
const OWNERS: Allowed = ['owner'];

/** The schema of a route's input, or nothing. */
type Schema = z.ZodObject | null;

const get = <Name extends string, Query extends Schema = null>(
  operation: Name,
  path: string,
  allowed: Allowed,
  query: Query = null as Query,
) => ({ method: 'GET', path, operation, allowed, body: null, query }) as const;

const post = <Name extends string, Body extends Schema = null>(
  operation: Name,
  path: string,
  allowed: Allowed,
  body: Body = null as Body,
) => ({ method: 'POST', path, operation, allowed, body, query: null }) as const;

const API = DASHBOARD_API;
const TENANT = `${API}/t/:tenant`;
const WORLD = WORLD_PATH;

export const DASHBOARD_ROUTES = [
  get('status', `${API}/status`, 'anyone'),
  post('lookAtLink', `${API}/links/look`, 'anyone', requests.linkRequest),
  post('setUp', `${API}/setup`, 'anyone', requests.setupRequest),
  post('acceptInvitation', `${API}/invitations/accept`, 'anyone', requests.acceptRequest),
  post('resetPassword', `${API}/reset`, 'anyone', requests.resetRequest),
  post('login', `${API}/login`, 'anyone', requests.loginRequest),
  post('offerPasskeySignIn', `${API}/passkey/offer`, 'anyone'),
  post('loginByPasskey', `${API}/passkey/login`, 'anyone', requests.passkeyLoginRequest),

  get('me', `${API}/me`, 'account'),
  post('logout', `${API}/logout`, 'account'),
  post('joinTenant', `${API}/me/join`, 'account', requests.joinTenantRequest),
  post('changePassword', `${API}/me/password`, 'account', requests.passwordRequest),
  get('listLogins', `${API}/me/logins`, 'account'),
  post('endLogin', `${API}/me/logins/:login/end`, 'account'),
  post('endOtherLogins', `${API}/me/logins/end-others`, 'account'),
  post('offerTotp', `${API}/me/totp/offer`, 'account', requests.totpOfferRequest),
  post('confirmTotp', `${API}/me/totp/confirm`, 'account', requests.totpConfirmRequest),
  post('dropTotp', `${API}/me/totp/drop`, 'account', requests.totpDropRequest),
  get('listPasskeys', `${API}/me/passkeys`, 'account'),
  post('offerPasskey', `${API}/me/passkeys/offer`, 'account', requests.passkeyOfferRequest),
  post('addPasskey', `${API}/me/passkeys`, 'account', requests.passkeyAddRequest),
  post(
    'removePasskey',
    `${API}/me/passkeys/:passkey/remove`,
    'account',
    requests.passkeyRemoveRequest,
  ),

  get('listTeam', `${TENANT}/team`, OWNERS),
  post('invite', `${TENANT}/invitations`, OWNERS, requests.invitationRequest),
  post('withdrawInvitation', `${TENANT}/invitations/:invitation/withdraw`, OWNERS),
  post('setRole', `${TENANT}/members/:member/role`, OWNERS, requests.roleRequest),
  post('removeMember', `${TENANT}/members/:member/remove`, OWNERS),
  get('listAudit', `${TENANT}/audit`, MAKERS, requests.auditQuery),
  get('listAuditNames', `${TENANT}/audit/names`, MAKERS),
  post('verifyAudit', `${TENANT}/audit/verify`, MAKERS, requests.auditVerification),

  get('overview', `${WORLD}/overview`, ALL),
  get('streamChanges', `${WORLD}/changes`, ALL),
  get('listKeys', `${WORLD}/keys`, MAKERS),
  post('createKey', `${WORLD}/keys`, MAKERS, requests.keyRequest),
  post('updateKey', `${WORLD}/keys/:key`, MAKERS, requests.keyChangeRequest),
  post('rotateKey', `${WORLD}/keys/:key/rotate`, MAKERS, requests.keyRotation),
  post('endKeyOverlap', `${WORLD}/keys/:key/end-overlap`, MAKERS),
  get('listKeyRoutes', `${WORLD}/keys/:key/routes`, MAKERS),
  post('revokeKey', `${WORLD}/keys/:key/revoke`, MAKERS),
  get('listKeyAlerts', `${WORLD}/key-alerts`, ALL),
  post('acknowledgeKeyAlert', `${WORLD}/key-alerts/:alert/acknowledge`, MAKERS),
  get('timeline', `${WORLD}/sessions/:session/timeline`, ALL, requests.timelineQuery),
  get('listRequests', `${WORLD}/requests`, ALL, requests.requestQuery),
  get('findRequest', `${WORLD}/requests/:request`, ALL),
  get('usage', `${WORLD}/usage`, ALL),
  get('exportUsage', `${WORLD}/usage.csv`, ALL, requests.usageQuery),
  get('findPlayers', `${WORLD}/players`, ALL, requests.playerQuery),
  get('board', `${WORLD}/board`, ALL),
  get('findTicket', `${WORLD}/tickets/:ticket`, ALL),
  get('listVerdicts', `${WORLD}/verdicts`, ALL),
  get('verdictRates', `${WORLD}/verdict-rates`, ALL),

  get('listTenants', `${API}/operator/tenants`, 'operator'),
  post('createTenant', `${API}/operator/tenants`, 'operator', requests.tenantRequest),
  post('updateTenant', `${API}/operator/tenants/:id`, 'operator', requests.tenantChangeRequest),
  get('listNodes', `${API}/operator/nodes`, 'operator'),
  get('listInstallationAudit', `${API}/operator/audit`, 'operator', requests.auditQuery),
  get('listInstallationAuditNames', `${API}/operator/audit/names`, 'operator'),
  post(
    'verifyInstallationAudit',
    `${API}/operator/audit/verify`,
    'operator',
    requests.auditVerification,
  ),
] as const satisfies readonly DashboardRoute[];

type OwnRoute = (typeof DASHBOARD_ROUTES)[number];
export type DashboardOperation = OwnRoute['operation'];

/** An operation's checked input: the fields of its body or its query. */
export type FieldsOf<Operation extends DashboardOperation> =
  Extract<OwnRoute, { operation: Operation }> extends { body: infer Body; query: infer Query }
    ? Body extends z.ZodObject
      ? z.infer<Body>
      : Query extends z.ZodObject
        ? z.infer<Query>
        : object
    : never;

/** A call of the tenant API that the dashboard may make, under `WORLD_PATH` and the call's own path. */
export interface MirrorRight {
  readonly roles: readonly Role[];
  /** False: only in test mode. In live mode the backend does it. */
  readonly live: boolean;
}

const look: MirrorRight = { roles: ['owner', 'developer', 'support', 'viewer'], live: true };
const manage: MirrorRight = { roles: ['owner', 'developer', 'support'], live: true };
const make: MirrorRight = { roles: ['owner', 'developer'], live: true };
const test: MirrorRight = { roles: ['owner', 'developer'], live: false };

export const MIRROR_RIGHTS: Readonly<Record<KeyOperationId, MirrorRight>> = {
  listGames: look,
  createSession: test,
  listSessions: look,
  joinSession: test,
  makeRematch: test,
  getSession: look,
  endSession: manage,
  removeSessionPlayer: test,
  makeSessionToken: test,
  getReplay: look,
  verifySession: manage,
  listRooms: look,
  watchSession: manage,
  createBot: make,
  listBots: look,
  getBot: look,
  updateBot: make,
  deleteBot: make,
  injectBot: test,
  makeBotToken: test,
  streamBot: test,
  actAsBot: test,
  createTicket: test,
  listTickets: look,
  getTicket: look,
  addTicketPlayer: test,
  removeTicketPlayer: test,
  promoteTicket: test,
  cancelTicket: test,
  listPool: look,
  startMatch: test,
  cancelGroup: test,
  makeLobbyToken: test,
  erasePlayer: { roles: ['owner'], live: true },
  exportPlayer: manage,
  getPlayer: look,
  listRatingHistory: look,
  listLeaders: look,
  putIntegrity: make,
  listIntegrity: look,
  removeIntegrity: make,
  makeChallenge: test,
  listEvents: look,
  streamEvents: look,
  createWebhook: make,
  listWebhooks: look,
  getWebhook: look,
  updateWebhook: make,
  deleteWebhook: make,
  rotateWebhook: make,
  testWebhook: make,
  listDeliveries: look,
  getMetricSummary: look,
  getMetricSeries: look,
  getDelivery: look,
  resendDelivery: make,
  triggerEvent: test,
  getSettings: look,
  updateSettings: make,
  whoami: look,
};
