/** The promise under fire: many matches at once, the process killed in the middle, none lost. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { freePort, type ServerProcess, startServer } from '../parts/server-process.ts';
import { makeTenantKey } from '../parts/tenant-key.ts';
import { makePlayer, type Player } from './player.ts';

export interface TortureOptions {
  readonly rounds: number;
  readonly matches: number;
  /** Kills in each round. */
  readonly kills: number;
  readonly seed: number;
  readonly runtime?: 'bun' | 'node';
  say(line: string): void;
  /** Before the first match. */
  prepare?(tenant: TortureTenant): Promise<void>;
  /** After the last match, with the server still there; answers what was wrong. */
  inspect?(tenant: TortureTenant): Promise<readonly string[]>;
}

/** The matches' tenant, for requests about them. */
export interface TortureTenant {
  readonly url: string;
  readonly key: string;
}

/** Violations, counted over all rounds. All zero keeps the promise. */
export interface TortureReport {
  readonly rounds: number;
  readonly matches: number;
  readonly kills: number;
  readonly acked: number;
  readonly lost: number;
  readonly twice: number;
  readonly stuck: number;
  readonly unverified: number;
  readonly complaints: readonly string[];
}

const ROUND_MS_MAX = 90_000;
/** A player may see the end before the ack of the move that made it. */
const LAST_ACKS_MS = 500;
const CREATE_AT_ONCE = 16;
const GAMES = ['tictactoe', 'connect4'];

/** A small generator, so that a round can be had again by its seed (mulberry32). */
function makeChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Match {
  readonly id: string;
  readonly players: readonly Player[];
}

export async function torture(options: TortureOptions): Promise<TortureReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'matchd-torture-'));
  const key = await makeUnlimitedKey(dataDir);
  const port = await freePort();
  const { runtime = 'bun' } = options;
  const total = { acked: 0, lost: 0, twice: 0, stuck: 0, unverified: 0, kills: 0 };
  const complaints: string[] = [];
  const start = () => startServer({ port, dataDir, runtime });
  let server = await start();
  try {
    await options.prepare?.({ url: server.url, key });
    for (let round = 0; round < options.rounds; round++) {
      const chance = makeChance(options.seed + round);
      const matches = await createMatches(server.url, key, options.matches, chance);
      for (let kill = 0; kill < options.kills; kill++) {
        await sleep(200 + chance() * 1_200);
        await server.kill();
        total.kills += 1;
        server = await start();
      }
      const found = await finishRound(server, key, matches);
      for (const name of ['acked', 'lost', 'twice', 'stuck', 'unverified'] as const) {
        total[name] += found[name];
      }
      complaints.push(...found.complaints);
      options.say(
        `round ${round + 1}: ${JSON.stringify({ ...found, complaints: found.complaints.length })}`,
      );
    }
    complaints.push(...((await options.inspect?.({ url: server.url, key })) ?? []));
    const code = await server.stop();
    if (code !== 0) complaints.push(`SIGTERM ended with ${code}`);
  } finally {
    await server.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return {
    rounds: options.rounds,
    matches: options.matches * options.rounds,
    ...total,
    complaints,
  };
}

/** A tenant without narrow limits, put into the data directory before the server starts. */
async function makeUnlimitedKey(dataDir: string): Promise<string> {
  const store = await openSqliteStore(join(dataDir, 'matchd.db'));
  const key = await makeTenantKey(store, 'torture', 'enterprise');
  await store.close();
  return key;
}

async function createMatches(
  url: string,
  key: string,
  count: number,
  chance: () => number,
): Promise<Match[]> {
  const matches: Match[] = [];
  for (let i = 0; i < count; i += CREATE_AT_ONCE) {
    const part = Array.from({ length: Math.min(CREATE_AT_ONCE, count - i) }, (_, k) =>
      createMatch(url, key, i + k, chance),
    );
    matches.push(...(await Promise.all(part)));
  }
  return matches;
}

async function createMatch(
  url: string,
  key: string,
  i: number,
  chance: () => number,
): Promise<Match> {
  const ids = [`left-${i}`, `right-${i}`];
  const answer = await call(url, key, 'POST', '/v1/sessions', {
    game: GAMES[i % GAMES.length],
    players: ids.map((id) => ({ id })),
  });
  const { sessionId, tokens } = answer as { sessionId: string; tokens: Record<string, string> };
  const players = ids.map((id, seat) =>
    makePlayer({
      url,
      token: tokens[id]!,
      session: sessionId,
      seat,
      choose: (legal) => Math.floor(chance() * legal),
      thinkMs: 20 + chance() * 150,
      address: `10.0.${i >> 8}.${i & 255}`,
    }),
  );
  return { id: sessionId, players };
}

async function call(
  url: string,
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? null : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

interface RoundFound {
  acked: number;
  lost: number;
  twice: number;
  stuck: number;
  unverified: number;
  readonly complaints: string[];
}

async function finishRound(
  server: ServerProcess,
  key: string,
  matches: readonly Match[],
): Promise<RoundFound> {
  const found: RoundFound = {
    acked: 0,
    lost: 0,
    twice: 0,
    stuck: 0,
    unverified: 0,
    complaints: [],
  };
  const deadline = sleep(ROUND_MS_MAX);
  await Promise.race([
    Promise.all(matches.flatMap(({ players }) => players.map((p) => p.over))),
    deadline,
  ]);
  await sleep(LAST_ACKS_MS);
  for (const match of matches) {
    await inspect(server.url, key, match, found);
    for (const player of match.players) player.close();
  }
  return found;
}

interface ReplayAnswer {
  readonly inputs: readonly {
    readonly v: number;
    readonly seat: number;
    readonly action: unknown;
  }[];
}

/** Compares what the players remember with what the service stored. */
async function inspect(url: string, key: string, match: Match, found: RoundFound): Promise<void> {
  if (!match.players.every((player) => player.isOver())) found.stuck += 1;
  for (const player of match.players) {
    found.complaints.push(...player.complaints);
    if (player.behind() > 0) found.complaints.push('shown less than before');
  }
  const path = `/v1/sessions/${match.id}`;
  const replay = (await call(url, key, 'GET', `${path}/replay`)) as ReplayAnswer;
  const check = (await call(url, key, 'POST', `${path}/verify`)) as { ok: boolean };
  if (!check.ok) found.unverified += 1;
  const acked = match.players.flatMap((player) => player.acked);
  found.acked += acked.length;
  for (const move of acked) {
    const input = replay.inputs.find((each) => each.v === move.v);
    const isThere =
      input !== undefined &&
      input.seat === move.seat &&
      JSON.stringify(input.action) === JSON.stringify(move.action);
    if (!isThere) found.lost += 1;
  }
  // Every move of a finished match was acknowledged to its player in the end, and but once.
  const versions = new Set(acked.map((move) => move.v));
  if (match.players.every((player) => player.isOver())) {
    found.twice += Math.max(0, replay.inputs.length - versions.size);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
