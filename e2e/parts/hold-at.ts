/** Makes a certain node own a match: the node of the first player to connect does (decision 0025). */

import type { ServerProcess } from './server-process.ts';

/** Opens a player's socket at that node until it receives the match, which the node then owns. */
export async function holdAt({ url }: ServerProcess, token: string): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/socket`, [
    'matchd.v1',
    `token.${token}`,
  ]);
  await new Promise<void>((resolve, reject) => {
    socket.onmessage = ({ data }) => {
      if ((JSON.parse(String(data)) as { t: string }).t === 'state') resolve();
    };
    socket.onclose = ({ code }) => reject(new Error(`closed with ${code} before a state`));
  });
  socket.onclose = null;
  socket.close();
}
