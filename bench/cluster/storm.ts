/**
 * A node that dies under its players: `bun bench/cluster/storm.ts [sessions]`. Two nodes of one
 * PostgreSQL and one NATS; all lobbies, two of each session, are connected to the one that is killed,
 * and all come to the other at the same moment. How long until each is shown its session again, and how
 * often was it closed before?
 */

import { SOCKET_PATH, socketProtocols } from '../adapters/matchd.ts';
import { quantile, runMany } from '../driving/measure.ts';
import { makeNumber } from '../report.ts';
import { type Door, post, withNodes } from './nodes.ts';

const ASKING_MAX = 64;
/** Like the SDK's reconnects: at first within this time, then twice as long, ms. */
const BACK_MS = 500;
const BACK_MS_MAX = 10_000;
const WAIT_MS_MAX = 120_000;
/** One address may open few sockets: each player claims an address of its own. */
const addressOf = (n: number): string => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;

interface Lobby {
  readonly socket: WebSocket;
  /** When the session was shown, or not. */
  readonly shown: Promise<boolean>;
}

interface Heard {
  welcomed(): void;
  closed(code: number): void;
}

function openLobby(url: string, token: string, n: number, { welcomed, closed }: Heard): Lobby {
  const address = `${url.replace('http', 'ws')}${SOCKET_PATH}`;
  const options = {
    protocols: socketProtocols(token),
    headers: { 'X-Forwarded-For': addressOf(n) },
  };
  const socket = new WebSocket(address, options as unknown as string[]);
  let isShown = false;
  const shown = new Promise<boolean>((resolve) => {
    socket.onmessage = ({ data }) => {
      if (String(data).includes('"t":"welcome"')) welcomed();
      if (!String(data).includes('"t":"state"')) return;
      isShown = true;
      resolve(true);
    };
    socket.onclose = ({ code }) => {
      if (!isShown) closed(code);
      resolve(false);
    };
  });
  return { socket, shown };
}

async function makeTokens(door: Door, sessions: number): Promise<string[]> {
  const made = await runMany(sessions, ASKING_MAX, async (n: number) => {
    const players = [`a${n}`, `b${n}`].map((id) => ({ id }));
    await post(door, '/v1/sessions', { game: 'tictactoe', players });
    return Promise.all(
      players.map(({ id }) => post<{ token: string }>(door, `/v1/players/${id}/token`, {})),
    );
  });
  return made.flat().map(({ token }) => token);
}

async function measure(sessions: number): Promise<void> {
  await withNodes(2, async ([dying, other], key) => {
    const tokens = await makeTokens({ url: dying!.url, key }, sessions);
    console.log(`${sessions} sessions are made`);
    const before = await connectAll(dying!.url, tokens);
    console.log(`at first: ${before.text}`);
    await dying!.kill();
    const after = await connectAll(other!.url, tokens);
    console.log(`after the kill: ${after.text}`);
    for (const socket of [...before.sockets, ...after.sockets]) socket.close();
  });
}

/** All at once, and closed ones reconnect. */
async function connectAll(url: string, tokens: readonly string[]) {
  const began = performance.now();
  const closes = new Map<number, number>();
  const sockets: WebSocket[] = [];
  const tookMs: number[] = [];
  let welcomes = 0;
  let isOver = false;
  const over = Bun.sleep(WAIT_MS_MAX).then(() => {
    isOver = true;
    return false;
  });
  const come = async (token: string, n: number): Promise<void> => {
    for (let ms = BACK_MS; !isOver; ms = Math.min(2 * ms, BACK_MS_MAX)) {
      await Bun.sleep(Math.random() * ms);
      const { socket, shown } = openLobby(url, token, n, {
        welcomed: () => {
          welcomes += 1;
        },
        closed: (code) => closes.set(code, (closes.get(code) ?? 0) + 1),
      });
      sockets.push(socket);
      if (!(await Promise.race([shown, over]))) continue;
      tookMs.push(performance.now() - began);
      return;
    }
  };
  await Promise.all(tokens.map(come));
  const at = (p: number): string => makeNumber(quantile(tookMs, p));
  const text =
    `${tookMs.length} of ${tokens.length} are shown their session, p50 ${at(0.5)}, p99 ${at(0.99)}, ` +
    `the last after ${at(1)} ms; ${welcomes} welcomes; closed: ${JSON.stringify(Object.fromEntries(closes))}`;
  return { sockets, text };
}

await measure(Number(process.argv[2] ?? 2_000));
process.exit(0);
