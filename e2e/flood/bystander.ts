/** A tenant that is not part of a flood: plays matches, and notes how long each move takes. */

import { openSocket, type SocketClient } from '../../src/testing/sockets/socket-client.ts';

/** A draw at tictactoe: it ends with its last move. */
const DRAW = [0, 4, 8, 2, 6, 3, 5, 7, 1];
/** Between two moves: far below what a player may send. Milliseconds. */
const GAP_MS = 20;
const ADDRESS = '203.0.113.7';

interface Made {
  readonly sessionId: string;
  readonly tokens: Readonly<Record<string, string>>;
}

/** Plays for that long. Returns the times from each move to its `ack`, ms, ascending. */
export async function playOn(url: string, key: string, forMs: number): Promise<number[]> {
  const until = performance.now() + forMs;
  const times: number[] = [];
  while (performance.now() < until) await playMatch(url, key, until, times);
  return times.sort((a, b) => a - b);
}

async function playMatch(url: string, key: string, until: number, times: number[]): Promise<void> {
  // Others in each match: a player may come once a second.
  const ids = ['a', 'b'].map((seat) => `${seat}-${crypto.randomUUID()}`);
  const response = await fetch(`${url}/v1/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ game: 'tictactoe', players: ids.map((id) => ({ id })) }),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  const { sessionId: s, tokens } = (await response.json()) as Made;
  const open = (token: string) =>
    openSocket(Number(new URL(url).port), { token, headers: { 'X-Forwarded-For': ADDRESS } });
  const clients: SocketClient[] = [];
  for (const id of ids) clients.push(await open(tokens[id]!));
  for (const client of clients) await client.next('state');
  for (const [n, position] of DRAW.entries()) {
    if (performance.now() > until) break;
    const client = clients[n % 2]!;
    const from = performance.now();
    client.send({ t: 'act', s, id: `m${n}`, action: { position } });
    await client.next('ack');
    times.push(performance.now() - from);
    await clients[(n + 1) % 2]!.next('update');
    await new Promise((resolve) => setTimeout(resolve, GAP_MS));
  }
  for (const client of clients) await client.close();
}

/** The value that `share` of them do not exceed, rounded to a tenth; NaN for none. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
  return Math.round((sorted[at] ?? Number.NaN) * 10) / 10;
}
