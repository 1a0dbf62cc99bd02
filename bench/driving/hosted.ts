/** Hosted matchmaking at full load: players in their lobbies, and a backend that decides each step. */

import { keyHeaders, SOCKET_PATH, socketProtocols } from '../adapters/matchd.ts';
import { kindOf } from '../adapters/matchd-frames.ts';
import type { HostedCall, HostedFigures, HostedJob } from '../jobs.ts';
import type { HttpClient } from './http-client.ts';
import { makeHttpClient } from './http-client.ts';
import type { Target } from './match.ts';
import type { Cost } from './measure.ts';
import { addCosts, coresOf, costOf, NO_COST, perSecond, quantile, runMany } from './measure.ts';
import type { Player } from './player.ts';
import { connectPlayer } from './player.ts';

const HOSTED = '/matchmaking/hosted';
const GAME = '?game=tictactoe';
const SEATS = 2;
const CONNECTING_AT_ONCE = 64;

/** The cost of the calls of one kind so far. */
interface Bill {
  cost: Cost;
  calls: number;
  readonly latencies: number[];
}

/** Connects all players, then plays the backend for `cycles` matches of each. */
export async function measureHosted(job: HostedJob, target: Target): Promise<HostedFigures> {
  const http = makeHttpClient(target.address, job.connections, keyHeaders(target.key));
  const players = await connectLobbies(job, target, http);
  const bills = { create: makeBill(), add: makeBill(), promote: makeBill(), start: makeBill() };
  for (let cycle = 0; cycle < job.warmUpCycles; cycle++) await runCycle(job, http, null);
  for (let cycle = 0; cycle < job.cycles; cycle++) await runCycle(job, http, bills);
  await Promise.all(players.map((player) => player.leave()));
  http.close();
  return {
    create: figuresOf(bills.create),
    add: figuresOf(bills.add),
    promote: figuresOf(bills.promote),
    start: figuresOf(bills.start),
  };
}

type Bills = Readonly<Record<HostedCall, Bill>>;

function makeBill(): Bill {
  return { cost: NO_COST, calls: 0, latencies: [] };
}

function figuresOf({ cost, calls, latencies }: Bill): HostedFigures[HostedCall] {
  return {
    cpuUsPerCall: cost.cpuUs / calls,
    callsPerSecond: perSecond(calls, cost),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    ...coresOf(cost),
  };
}

function connectLobbies(job: HostedJob, target: Target, http: HttpClient): Promise<Player[]> {
  return runMany(job.players, CONNECTING_AT_ONCE, async (index) => {
    const { token } = await post<{ token: string }>(http, `/v1/players/p${index}/token`, {});
    return connectLobby(target, index, token);
  });
}

/** Resolves when the player is welcomed, and so connected. */
function connectLobby(target: Target, index: number, token: string): Promise<Player> {
  return new Promise((resolve, reject) => {
    connectPlayer({
      target,
      index,
      path: SOCKET_PATH,
      protocols: socketProtocols(token),
      lost: reject,
      message(payload, player) {
        if (kindOf(payload) === 'welcome') resolve(player);
      },
    });
  });
}

/** A match for every pair of players, each kind of call after the one before. */
async function runCycle(job: HostedJob, http: HttpClient, bills: Bills | null): Promise<void> {
  const matches = Math.floor(job.players / SEATS);
  const run = <T>(kind: HostedCall, calls: number, call: (index: number) => Promise<T>) =>
    billed(job, bills?.[kind] ?? null, calls, call);
  const tickets = await run('create', matches, async () => {
    const made = await post<{ ticketId: string }>(http, `${HOSTED}/ticket${GAME}`, {});
    return made.ticketId;
  });
  await run('add', matches * SEATS, (index) =>
    // Players of one ticket are far apart, as in practice.
    post(http, `${HOSTED}/ticket/${tickets[index % matches]}/players${GAME}`, {
      playerId: `p${index}`,
    }),
  );
  const groups = await run('promote', matches, async (index) => {
    const path = `${HOSTED}/ticket/${tickets[index]}/promote${GAME}`;
    return (await post<{ group: { id: string } }>(http, path, {})).group.id;
  });
  const sessions = await run('start', matches, async (index) => {
    const body = { groupIds: [groups[index]] };
    const path = `${HOSTED}/start-match${GAME}`;
    return (await post<{ sessionId: string }>(http, path, body)).sessionId;
  });
  await runMany(matches, job.connections, (index) =>
    post(http, `/v1/sessions/${sessions[index]}/end`, {}),
  );
}

async function billed<T>(
  job: HostedJob,
  bill: Bill | null,
  calls: number,
  call: (index: number) => Promise<T>,
): Promise<T[]> {
  let results: T[] = [];
  const cost = await costOf(job.server.pid, async () => {
    results = await runMany(calls, job.connections, async (index) => {
      const startedAt = performance.now();
      const result = await call(index);
      bill?.latencies.push(performance.now() - startedAt);
      return result;
    });
  });
  if (bill !== null) {
    bill.cost = addCosts(bill.cost, cost);
    bill.calls += calls;
  }
  return results;
}

async function post<T>(http: HttpClient, path: string, body: object): Promise<T> {
  const answer = await http.post(path, body);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body) as T;
}
