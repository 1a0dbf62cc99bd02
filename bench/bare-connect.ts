/**
 * The baseline for connecting a player: the runtime's upgrade after verifying a signed token, and
 * nothing else. Argument: the port.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { announce, portArgument } from './announce.ts';

/** As long as the claims of matchd's tokens. */
interface Claims {
  readonly player: string;
  readonly session: string;
  /** Seconds since 1970. */
  readonly exp: number;
}

interface Creation {
  readonly players: readonly { readonly id: string }[];
}

const LIFE_S = 3_600;
const ID_BYTES = 13;
const CREATED = 201;
const UNAUTHORIZED = 401;
const SUBPROTOCOL = 'matchd.v1';
const TOKEN_PREFIX = 'token.';
const HEADER = encode({ alg: 'HS256', typ: 'JWT', kid: 'bare' });
const secret = randomBytes(32);

const server = Bun.serve<Claims>({
  hostname: '127.0.0.1',
  port: portArgument(),
  /** POST makes tokens for a session's players; everything else is a handshake. */
  async fetch(request, server) {
    if (request.method === 'POST') return createTokens((await request.json()) as Creation);
    const claims = parseToken(tokenOf(request));
    if (claims === null) return new Response(null, { status: UNAUTHORIZED });
    const headers = { 'Sec-WebSocket-Protocol': SUBPROTOCOL };
    if (server.upgrade(request, { data: claims, headers })) return undefined;
    return new Response(null, { status: 400 });
  },
  websocket: { message() {} },
});
announce({ url: server.url.origin, pid: process.pid });

function createTokens({ players }: Creation): Response {
  const session = `ses_${randomBytes(ID_BYTES).toString('hex')}`;
  const exp = Math.floor(Date.now() / 1_000) + LIFE_S;
  const tokens = players.map(({ id }) => [id, makeToken({ player: id, session, exp })]);
  return Response.json(
    { sessionId: session, tokens: Object.fromEntries(tokens) },
    { status: CREATED },
  );
}

function tokenOf(request: Request): string {
  const offered = request.headers.get('Sec-WebSocket-Protocol')?.split(', ') ?? [];
  const token = offered.find((each) => each.startsWith(TOKEN_PREFIX));
  return token?.slice(TOKEN_PREFIX.length) ?? '';
}

function makeToken(claims: Claims): string {
  const text = `${HEADER}.${encode(claims)}`;
  return `${text}.${sign(text).toString('base64url')}`;
}

/** Null for a token of another server, or an expired one. */
function parseToken(token: string): Claims | null {
  const [header, body, signature] = token.split('.');
  if (header !== HEADER || body === undefined || signature === undefined) return null;
  const given = Buffer.from(signature, 'base64url');
  const wanted = sign(`${header}.${body}`);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Claims;
  return claims.exp * 1_000 > Date.now() ? claims : null;
}

function sign(text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest();
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
