/**
 * Google's two endpoints on this machine, with the same contract: it verifies grants, issues access
 * tokens, decodes the device tokens it minted, and clears what is decoded twice. It can be told to
 * refuse, hang, hang up and return nonsense.
 */

import { Buffer } from 'node:buffer';
import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const SCOPE = 'https://www.googleapis.com/auth/playintegrity';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const TOKEN_AGE_MAX_MS = 10 * 60_000;

/** How an endpoint behaves. `{ status, body }` is sent unchanged; a text is no JSON. */
export type Behaviour =
  | 'well'
  | 'hang'
  | 'hang_up'
  | {
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** A device and an app as judged by Google. Absent fields are absent in the response. */
export interface DeviceTokenWish {
  readonly project: string;
  readonly packageName: string;
  readonly requestedAt: number;
  readonly labels?: readonly string[];
  readonly recognition?: string;
  readonly licensing?: string;
  readonly requestHash?: string;
  readonly nonce?: string;
  /** The package in the payload, if it differs. */
  readonly saysPackage?: string;
}

export interface GoogleStandIn {
  readonly tokenUrl: string;
  readonly playIntegrityUrl: string;
  /** The file of a new service account of a project, as from Google's console. */
  makeAccount(project: string): string;
  mint(wish: DeviceTokenWish): string;
  /** From the next request on. */
  behave(behaviour: { readonly token?: Behaviour; readonly decode?: Behaviour }): void;
  /** Forgets the access tokens it issued. */
  forgetAccess(): void;
  readonly calls: { token: number; decode: number };
  close(): Promise<void>;
}

interface State {
  readonly now: () => number;
  readonly accounts: Map<string, { readonly project: string; readonly key: KeyObject }>;
  /** Access tokens, and the project of the account they are for. */
  readonly access: Map<string, string>;
  readonly decoded: Set<string>;
  readonly secret: Buffer;
  readonly behaviour: { token: Behaviour; decode: Behaviour };
  readonly calls: { token: number; decode: number };
  tokenUrl: string;
}

/** `now` is the stand-in's clock, ms since 1970. */
export async function openGoogleStandIn(now: () => number): Promise<GoogleStandIn> {
  const state: State = {
    now,
    accounts: new Map(),
    access: new Map(),
    decoded: new Set(),
    secret: randomBytes(32),
    behaviour: { token: 'well', decode: 'well' },
    calls: { token: 0, decode: 0 },
    tokenUrl: '',
  };
  const server = createServer((request, response) => void serve(state, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  state.tokenUrl = `${url}/token`;
  return {
    tokenUrl: state.tokenUrl,
    playIntegrityUrl: url,
    makeAccount: (project) => makeAccount(state, project),
    mint: (wish) => mint(state, wish),
    behave: (behaviour) => void Object.assign(state.behaviour, behaviour),
    forgetAccess: () => state.access.clear(),
    calls: state.calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function makeAccount({ accounts, tokenUrl }: State, project: string): string {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const keyId = randomBytes(20).toString('hex');
  const email = `matchd-${keyId.slice(0, 8)}@p${project}.iam.gserviceaccount.com`;
  accounts.set(`${email} ${keyId}`, { project, key: publicKey });
  return JSON.stringify({
    type: 'service_account',
    project_id: `p${project}`,
    private_key_id: keyId,
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    client_email: email,
    token_uri: tokenUrl,
  });
}

function mint({ secret }: State, wish: DeviceTokenWish): string {
  const sealed = { ...wish, salt: randomBytes(8).toString('hex') };
  const text = Buffer.from(JSON.stringify(sealed)).toString('base64url');
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

// ── serving ────────────────────────────────────────────────────────────────────────────────────

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function serve(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let body = '';
  for await (const part of request) body += String(part);
  const kind = request.url === '/token' ? 'token' : 'decode';
  state.calls[kind] += 1;
  const behaviour = state.behaviour[kind];
  if (behaviour === 'hang') return;
  if (behaviour === 'hang_up') {
    response.destroy();
    return;
  }
  const answer = behaviour === 'well' ? answerWell(state, kind, request, body) : behaviour;
  const isText = typeof answer.body === 'string';
  const type = isText ? 'text/html' : 'application/json';
  response.writeHead(answer.status, { 'content-type': type, ...answer.headers });
  response.end(isText ? answer.body : JSON.stringify(answer.body));
}

function answerWell(
  state: State,
  kind: 'token' | 'decode',
  request: IncomingMessage,
  body: string,
): Answer {
  if (request.method !== 'POST') return refuse(404, 'NOT_FOUND', 'Not found');
  return kind === 'token' ? grant(state, body) : decode(state, request, body);
}

function refuse(code: number, status: string, message: string): Answer {
  return { status: code, body: { error: { code, message, status } } };
}

function invalidGrant(error_description: string): Answer {
  return { status: 400, body: { error: 'invalid_grant', error_description } };
}

function parsePart(text: string | undefined): Readonly<Record<string, unknown>> {
  return Object(JSON.parse(Buffer.from(text ?? '', 'base64url').toString() || '{}')) as never;
}

function grant(state: State, body: string): Answer {
  const form = new URLSearchParams(body);
  if (form.get('grant_type') !== GRANT) {
    return { status: 400, body: { error: 'unsupported_grant_type' } };
  }
  const [head, claim, signature] = (form.get('assertion') ?? '').split('.');
  const { alg, kid } = parsePart(head);
  const { iss, scope, aud, iat, exp } = parsePart(claim);
  const account = state.accounts.get(`${String(iss)} ${String(kid)}`);
  if (alg !== 'RS256' || account === undefined) return invalidGrant('Invalid JWT Signature.');
  const signed = Buffer.from(`${head}.${claim}`);
  const isSigned = verify('sha256', signed, account.key, Buffer.from(signature ?? '', 'base64url'));
  if (!isSigned) return invalidGrant('Invalid JWT Signature.');
  if (scope !== SCOPE) return { status: 400, body: { error: 'invalid_scope' } };
  const nowS = state.now() / 1_000;
  const isNow =
    Number(iat) <= nowS + 300 && Number(exp) > nowS && Number(exp) - Number(iat) <= 3_600;
  if (aud !== state.tokenUrl || !isNow) return invalidGrant('Invalid JWT.');
  const access = `ya29.${randomBytes(24).toString('base64url')}`;
  state.access.set(access, account.project);
  return {
    status: 200,
    body: { access_token: access, expires_in: 3_599, token_type: 'Bearer' },
  };
}

const UNDECODABLE = 'Integrity token cannot be decoded due to invalid arguments.';

function decode(state: State, { url, headers }: IncomingMessage, body: string): Answer {
  const packageName = /^\/v1\/([\w.]+):decodeIntegrityToken$/.exec(url ?? '')?.[1];
  if (packageName === undefined) return refuse(404, 'NOT_FOUND', 'Not found');
  const project = state.access.get(headers.authorization?.replace('Bearer ', '') ?? '');
  if (project === undefined) {
    return refuse(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
  }
  const { integrityToken } = JSON.parse(body) as { readonly integrityToken?: unknown };
  const [text = '', seal] = String(integrityToken).split('.');
  const isOurs = createHmac('sha256', state.secret).update(text).digest('base64url') === seal;
  if (!isOurs) return refuse(400, 'INVALID_ARGUMENT', UNDECODABLE);
  const wish = parsePart(text) as unknown as DeviceTokenWish;
  if (wish.project !== project || wish.packageName !== packageName) {
    const message = 'You are not authorized to decode the requested integrity token.';
    return refuse(403, 'PERMISSION_DENIED', message);
  }
  if (state.now() - wish.requestedAt > TOKEN_AGE_MAX_MS) {
    return refuse(400, 'INVALID_ARGUMENT', UNDECODABLE);
  }
  const isFirst = !state.decoded.has(text);
  state.decoded.add(text);
  return { status: 200, body: { tokenPayloadExternal: payloadOf(wish, isFirst) } };
}

function payloadOf(wish: DeviceTokenWish, isFirst: boolean): object {
  const { requestHash, nonce, labels, recognition, licensing } = wish;
  return {
    requestDetails: {
      requestPackageName: wish.saysPackage ?? wish.packageName,
      ...(requestHash === undefined ? null : { requestHash }),
      ...(nonce === undefined ? null : { nonce }),
      timestampMillis: String(wish.requestedAt),
    },
    appIntegrity: {
      appRecognitionVerdict: isFirst ? (recognition ?? 'PLAY_RECOGNIZED') : 'UNEVALUATED',
      ...(isFirst ? { packageName: wish.packageName, versionCode: '42' } : null),
    },
    deviceIntegrity: isFirst && labels !== undefined ? { deviceRecognitionVerdict: labels } : {},
    accountDetails: {
      appLicensingVerdict: isFirst ? (licensing ?? 'LICENSED') : 'UNEVALUATED',
    },
  };
}
