/** `matchd loadtest`: plays matches against a running service and says how quickly moves are committed. */

import { type Client, connect, type MatchSession } from '../../../sdk/src/client/index.ts';
import { createMatchd, type Matchd } from '../../../sdk/src/server/index.ts';
import type { Environment } from '../../config.ts';
import { parseKeyText } from '../../tenancy/key-text.ts';
import {
  type Answer,
  EXIT_CODES,
  isRefusal,
  type Refusal,
  wrongUsage,
} from '../terminal/answer.ts';
import type { Progress } from '../terminal/progress.ts';
import { printFields } from '../terminal/text-table.ts';
import { type ClientOptions, readClient, type Client as Service } from './client.ts';

export interface LoadtestOptions extends ClientOptions {
  readonly matches: string;
  readonly atOnce: string;
  /** The service may be on another machine. */
  readonly yes?: boolean;
}

const MATCHES_MAX = 1_000;
/** Two sockets each, and an address may have 200 (rule P5). */
const AT_ONCE_MAX = 90;
/** A match that takes longer has failed. */
const MATCH_MS_MAX = 60_000;
const LOCAL_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost']);

interface Tally {
  /** From sending a move to its `ack`, which comes after the commit. Milliseconds. */
  readonly latencies: number[];
  readonly errors: string[];
  /** Time in which at least one match was played. Milliseconds. */
  playingMs: number;
}

export async function runLoadtest(
  env: Environment,
  options: LoadtestOptions,
  say: Progress,
): Promise<Answer> {
  const matches = parseCount('--matches', options.matches, MATCHES_MAX);
  if (typeof matches !== 'number') return matches;
  const atOnce = parseCount('--at-once', options.atOnce, AT_ONCE_MAX);
  if (typeof atOnce !== 'number') return atOnce;
  const service = await readClient(env, options);
  if (isRefusal(service)) return service;
  const refusal = refuse(service, options.yes ?? false);
  if (refusal !== null) return refusal;
  const tally: Tally = { latencies: [], errors: [], playingMs: 0 };
  await playAll(service, matches, atOnce, tally, say);
  return report(service.base, matches, tally);
}

function parseCount(flag: string, text: string, max: number): number | Refusal {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= max ? count : wrongUsage(`${flag}: expected 1 to ${max}`);
}

/** Load is for test worlds, and for machines of one's own. */
function refuse({ base, key }: Service, isAgreed: boolean): Refusal | null {
  if (parseKeyText(key)?.mode !== 'test') return wrongUsage('loadtest needs a test key');
  const { hostname } = new URL(base);
  if (isAgreed || LOCAL_HOSTS.has(hostname)) return null;
  return wrongUsage(`${hostname} is another machine: use --yes if its owner agrees to the load`);
}

async function playAll(
  { base, key }: Service,
  matches: number,
  atOnce: number,
  tally: Tally,
  say: Progress,
): Promise<void> {
  const api = createMatchd({ url: base, key });
  const run = Date.now().toString(36);
  let [next, done, playing, since] = [0, 0, 0, 0];
  const begin = (): void => {
    if (playing === 0) since = performance.now();
    playing += 1;
  };
  const end = (): void => {
    playing -= 1;
    if (playing === 0) tally.playingMs += performance.now() - since;
  };
  const worker = async (): Promise<void> => {
    while (next < matches) {
      const names = [`load-${run}-${next}-a`, `load-${run}-${next}-b`];
      next += 1;
      await playOne(api, base, names, tally, begin, end).catch((error: unknown) => {
        tally.errors.push(error instanceof Error ? error.message : String(error));
      });
      done += 1;
      say('playing', { done, of: matches, unit: 'matches' });
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, matches) }, worker));
}

async function playOne(
  api: Matchd,
  base: string,
  names: readonly string[],
  tally: Tally,
  begin: () => void,
  end: () => void,
): Promise<void> {
  const players = names.map((id) => ({ id }));
  // A private session is not matched with waiting players.
  const request = { game: 'tictactoe', matchType: 'private', players } as const;
  const { sessionId, tokens } = await api.sessions.create(request);
  const clients = names.map((name) => connect({ url: base, token: tokens[name]! }));
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => over.reject(new Error(`${sessionId} was not over in time`)),
    MATCH_MS_MAX,
  );
  begin();
  try {
    for (const client of clients) follow(client, sessionId, tally, over);
    await over.promise;
  } finally {
    end();
    clearTimeout(timer);
    for (const client of clients) client.close();
  }
}

/** Plays a client's seat until `over`, which rejects when the match cannot continue. */
export function follow(
  client: Pick<Client, 'session' | 'on'>,
  id: string,
  tally: Pick<Tally, 'latencies'>,
  over: PromiseWithResolvers<void>,
): void {
  const session: MatchSession<'tictactoe'> = client.session(id);
  let ackedV = 0;
  const move = (): void => {
    const { view } = session;
    if (view?.status === 'ended') over.resolve();
    if (view?.status !== 'active' || view.turn !== view.seat || session.sending.length > 0) return;
    // An ack mostly arrives before the update that shows its move: the client acts only on what is
    // shown.
    if (view.v < ackedV) return;
    const [action] = view.legal ?? [];
    if (action === undefined) return;
    const began = performance.now();
    session.act(action as { readonly position: number }).then(
      () => {
        tally.latencies.push(performance.now() - began);
      },
      (error: Error) => over.reject(error),
    );
  };
  client.on((event) => {
    if (event.kind === 'status' && event.status.kind === 'failed') {
      over.reject(new Error(`a socket was refused: ${event.status.reason}`));
    }
    if (event.kind === 'acked') ackedV = Math.max(ackedV, event.v);
    // On a new line the state shows the move, and what answered it, before the ack returns.
    if (event.kind === 'session' || event.kind === 'acked') move();
  });
}

function report(base: string, matches: number, { latencies, errors, playingMs }: Tally): Answer {
  const sorted = [...latencies].sort((a, b) => a - b);
  const at = (share: number): number | null => {
    const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
    return found === undefined ? null : Number(found.toFixed(2));
  };
  const seconds = playingMs / 1_000;
  const movesPerS = seconds === 0 ? 0 : Math.round(sorted.length / seconds);
  const json = {
    url: base,
    matches,
    failed: errors.length,
    moves: sorted.length,
    seconds: Number(seconds.toFixed(2)),
    movesPerS,
    latencyMs: { p50: at(0.5), p99: at(0.99), max: at(1) },
    errors: [...new Set(errors)].slice(0, 10),
  };
  const { p50, p99, max } = json.latencyMs;
  const text = printFields([
    ['matches', `${matches}, ${errors.length} failed`],
    ['moves', `${sorted.length} in ${json.seconds} s of play`],
    ['moves a second', `${movesPerS}`],
    ['move to ack', `p50 ${p50} ms, p99 ${p99} ms, slowest ${max} ms`],
    ...json.errors.map((error): [string, string] => ['error', error]),
  ]);
  return { json, text, exit: errors.length === 0 ? EXIT_CODES.done : EXIT_CODES.failed };
}
