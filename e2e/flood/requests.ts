/**
 * Mutated HTTP requests on keep-alive connections: the result of each, and which ones had no
 * response in time.
 */

import { connect, type Socket } from 'node:net';
import { ROUTES } from '../../src/contract/routes/routes.ts';
import type { Chance } from '../faults/chance.ts';

/** The time limit for a response. Longer than a body may take to arrive (rule H1). Milliseconds. */
const ANSWER_MS = 20_000;
const CONNECTIONS = 32;
const LARGE_BYTES = 300_000;

/** Responses of these have no end. */
const ROUTES_USED = ROUTES.filter(({ path }) => !path.endsWith('/stream'));

export interface RequestFlood {
  readonly sent: number;
  /** The number of responses with that status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Valid requests without a response: what was sent and how its connection ended. */
  readonly unanswered: readonly string[];
  /** Malformed requests whose connection ended before this side saw a response. */
  readonly cutOff: number;
  /**
   * Requests that had a response only once their body was given up: they announced more than they
   * sent.
   */
  readonly givenUp: number;
  /** The slowest response to a valid request, ms. */
  readonly slowestMs: number;
}

interface Wish {
  readonly url: URL;
  readonly keys: readonly string[];
  readonly count: number;
  /** No more are sent after this time. */
  readonly withinMs: number;
  readonly chance: Chance;
  /** Called as requests are answered. */
  onAnswer(answered: number): void;
}

/** Its content, described in a few words. */
type Body = Pick<Mutated, 'bytes' | 'name'>;

/** A request as bytes, and described in a few words. */
interface Mutated {
  readonly bytes: Buffer;
  readonly name: string;
  /** Its response has a length and no body. */
  readonly isHead: boolean;
  /** How the length of its body is stated: correctly, too large, or malformed. */
  readonly framing: 'sound' | 'short' | 'broken';
}

export async function floodRequests(wish: Wish): Promise<RequestFlood> {
  const statuses: Record<string, number> = {};
  const unanswered: string[] = [];
  let sent = 0;
  let answered = 0;
  let slowestMs = 0;
  const deadline = performance.now() + wish.withinMs;
  let cutOff = 0;
  let givenUp = 0;
  const work = async (): Promise<void> => {
    let line: Line | null = null;
    while (sent < wish.count && performance.now() < deadline) {
      sent += 1;
      const request = mutate(wish);
      line ??= await openLine(wish.url);
      const from = performance.now();
      const outcome = await line.ask(request);
      const ms = Math.round(performance.now() - from);
      if (request.framing === 'sound') slowestMs = Math.max(slowestMs, ms);
      if ('status' in outcome) {
        statuses[outcome.status] = (statuses[outcome.status] ?? 0) + 1;
        givenUp += Number(request.framing === 'short' && outcome.status === '408');
      } else if (request.framing === 'broken') cutOff += 1;
      else unanswered.push(`${request.name}: ${outcome.none} after ${ms} ms, ${line.asked} asked`);
      if (!('status' in outcome) || outcome.isLast) {
        line.end();
        line = null;
      }
      answered += 1;
      wish.onAnswer(answered);
    }
    line?.end();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return { sent, statuses, unanswered, cutOff, givenUp, slowestMs };
}

type Outcome = { readonly status: string; readonly isLast: boolean } | { readonly none: string };

/** A keep-alive connection: one request at a time. */
interface Line {
  readonly asked: number;
  ask(request: Mutated): Promise<Outcome>;
  end(): void;
}

function openLine(url: URL): Promise<Line> {
  const tcp = connect(Number(url.port), url.hostname);
  return new Promise((resolve, reject) => {
    tcp.once('error', reject);
    tcp.once('connect', () => {
      tcp.off('error', reject);
      resolve(makeLine(tcp));
    });
  });
}

function makeLine(tcp: Socket): Line {
  let text = '';
  let asked = 0;
  let isHead = false;
  let settle: (outcome: Outcome) => void = () => {};
  tcp.on('error', (error: NodeJS.ErrnoException) => settle({ none: error.code ?? 'error' }));
  tcp.on('close', () => settle({ none: 'closed' }));
  tcp.on('data', (chunk) => {
    text += chunk.toString('latin1');
    const outcome = readAnswer(text, isHead);
    if (outcome === null) return;
    text = '';
    settle(outcome);
  });
  return {
    get asked() {
      return asked;
    },
    ask(request) {
      asked += 1;
      isHead = request.isHead;
      return new Promise((resolve) => {
        const timer = setTimeout(() => settle({ none: 'no answer' }), ANSWER_MS);
        settle = (outcome) => {
          clearTimeout(timer);
          settle = () => {};
          resolve(outcome);
        };
        if (tcp.destroyed) settle({ none: 'closed before' });
        else tcp.write(request.bytes);
      });
    },
    end: () => void tcp.destroy(),
  };
}

/** Null while the response is incomplete. */
function readAnswer(text: string, isHead: boolean): Outcome | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = text.slice(0, end).toLowerCase();
  const status = head.slice(9, 12);
  const isLast = head.includes('\r\nconnection: close');
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  if (isHead) return { status, isLast };
  if (head.includes('\r\ntransfer-encoding: chunked')) {
    return text.endsWith('0\r\n\r\n') ? { status, isLast } : null;
  }
  return text.length >= end + 4 + Number(length ?? 0) ? { status, isLast } : null;
}

const IDS = ['ses_none', 'tkt_1', 'x', '%00', '..', '__proto__', 'a'.repeat(300), '%F0%9F%98%80'];
const VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  2 ** 53,
  1e308,
  '',
  'x',
  'x'.repeat(2_000),
  '\u{1f600}',
  [],
  {},
  [[]],
  { id: 'p' },
  [{ id: 'p1' }, { id: 'p2' }],
  'tictactoe',
  'connect4',
  'ludo',
  'session.ended',
];
const FIELDS = [
  'game',
  'mode',
  'matchType',
  'players',
  'seats',
  'options',
  'metadata',
  'theme',
  'type',
  'url',
  'types',
  'roomCode',
  'playerId',
  'displayName',
  'reason',
  'groupIds',
  'capacity',
];

function mutate({ keys, chance }: Wish): Mutated {
  const { pick } = chance;
  const is = (oneIn: number): boolean => chance.below(oneIn) === 0;
  const route = pick(ROUTES_USED);
  const method = is(20)
    ? pick(['PUT', 'PATCH', 'DELETE', 'POST', 'HEAD', 'OPTIONS'])
    : route.method;
  const path = route.path.replace(/:\w+/g, () => pick(IDS));
  const query = is(4) ? `?${pick(['limit', 'cursor', 'mode', 'x'])}=${pick(IDS)}` : '';
  const headers = ['Host: 127.0.0.1'];
  if (!is(20)) headers.push(`Authorization: Bearer ${is(20) ? 'mk_live_wrong' : pick(keys)}`);
  if (is(4)) headers.push(`Idempotency-Key: ${chance.below(1_000_000)}`);
  if (is(50)) headers.push(`X-Long: ${'x'.repeat(4_000)}`);
  const body = method === 'HEAD' || method === 'GET' ? null : makeBody(pick, is);
  const name = `${method} ${route.path} with ${body?.name ?? 'no body'}`;
  const framed = body === null ? null : frame(body.bytes, chance);
  if (framed !== null) {
    headers.push(`Content-Type: ${is(20) ? 'text/plain' : 'application/json'}`, framed.header);
  }
  const head = Buffer.from(`${method} ${path}${query} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  return {
    bytes: Buffer.concat([head, framed?.bytes ?? Buffer.alloc(0)]),
    name: framed === null ? name : `${name}, ${framed.header}`,
    isHead: method === 'HEAD',
    framing: framed?.framing ?? 'sound',
  };
}

type Framed = Pick<Mutated, 'bytes' | 'framing'> & { readonly header: string };

function frame(bytes: Buffer, chance: Chance): Framed {
  const length = `Content-Length: ${bytes.length}`;
  const dice = chance.below(6_000);
  if (dice === 0) {
    return { bytes, framing: 'short', header: `Content-Length: ${bytes.length + 8}` };
  }
  if (dice < 4) {
    const broken = [`${length}\r\n${length}`, 'Content-Length: -1', `${length}x`];
    return { bytes, framing: 'broken', header: broken[dice - 1]! };
  }
  return dice < 1_000
    ? { bytes: chunked(bytes), framing: 'sound', header: 'Transfer-Encoding: chunked' }
    : { bytes, framing: 'sound', header: length };
}

function makeBody(pick: Chance['pick'], is: (oneIn: number) => boolean): Body {
  if (is(200)) return { bytes: Buffer.alloc(LARGE_BYTES, 'a'), name: 'a body over all limits' };
  if (is(200)) return { bytes: Buffer.alloc(70_000, 'a'), name: 'a body over the limit' };
  if (is(20)) return { bytes: Buffer.from('{"game":'), name: 'broken JSON' };
  if (is(50)) return { bytes: Buffer.from('['.repeat(3_000)), name: 'a deep body' };
  const fields = Array.from({ length: 4 }, () => [pick(FIELDS), pick(VALUES)] as const);
  const valid = {
    game: 'tictactoe',
    players: [{ id: `p${pick(IDS).length}` }],
    type: 'session.ended',
  };
  const json = { ...(is(2) ? valid : null), ...Object.fromEntries(fields) };
  return { bytes: Buffer.from(JSON.stringify(json)), name: 'JSON' };
}

function chunked(bytes: Buffer): Buffer {
  if (bytes.length === 0) return Buffer.from('0\r\n\r\n');
  const size = Buffer.from(`${bytes.length.toString(16)}\r\n`);
  return Buffer.concat([size, bytes, Buffer.from('\r\n0\r\n\r\n')]);
}
