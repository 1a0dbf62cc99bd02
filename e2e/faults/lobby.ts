/**
 * A player who waits in the lobby: connected through one node, and through another when that is
 * gone.
 */

import type { Backend } from './backend.ts';

export interface Lobby {
  /** Waits until the player is connected: until a node has sent `welcome` on the current socket. */
  connected(): Promise<void>;
  close(): void;
}

interface Wish {
  readonly backend: Backend;
  url(): string;
}

const RETRY_MS = 100;
const PING_MS = 1_000;
const SILENCE_MS_MAX = 3_000;
const ADDRESSES = 250;
/** Longer than a token opens a socket; it is renewed by `welcome`. */
const CONNECT_MS_MAX = 60_000;

let opened = 0;

/** Resolves once the player is connected. */
export async function openLobby({ backend, url }: Wish, player: string): Promise<Lobby> {
  const { json } = await backend.insist({ method: 'POST', path: `/v1/players/${player}/token` });
  const address = `10.9.0.${opened++ % ADDRESSES}`;
  let token = String(json['token']);
  let isClosed = false;
  let isGreeted = false;
  let socket: WebSocket | null = null;
  let greeted = Promise.withResolvers<void>();
  const connect = (): void => {
    if (isClosed) return;
    const options = {
      protocols: ['matchd.v1', `token.${token}`],
      headers: { 'X-Forwarded-For': address },
    };
    const mine = new WebSocket(
      `${url().replace('http', 'ws')}/v1/socket`,
      options as unknown as string[],
    );
    socket = mine;
    let heardAt = performance.now();
    const watch = setInterval(() => {
      if (performance.now() - heardAt > SILENCE_MS_MAX) lose();
      else if (mine.readyState === WebSocket.OPEN) mine.send('{"t":"ping","n":1}');
    }, PING_MS);
    const lose = (): void => {
      clearInterval(watch);
      if (socket !== mine) return;
      socket = null;
      mine.close();
      // A player who waits for a welcome waits for the next one already.
      if (isGreeted) greeted = Promise.withResolvers<void>();
      isGreeted = false;
      setTimeout(connect, RETRY_MS);
    };
    mine.onmessage = ({ data }) => {
      heardAt = performance.now();
      const frame = JSON.parse(String(data)) as { t: string; resumeToken?: string };
      if (frame.t !== 'welcome') return;
      token = frame.resumeToken ?? token;
      isGreeted = true;
      greeted.resolve();
    };
    mine.onerror = () => {};
    mine.onclose = lose;
  };
  connect();
  const connected = async (): Promise<void> => {
    await Promise.race([greeted.promise, Bun.sleep(CONNECT_MS_MAX)]);
  };
  await connected();
  return {
    connected,
    close() {
      isClosed = true;
      socket?.close();
    },
  };
}
