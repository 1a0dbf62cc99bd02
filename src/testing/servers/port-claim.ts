/** Ports for test servers: no two test processes get the same one. */

import { createServer, type Server } from 'node:net';

/** Held until this process ends, so that nobody else gets its ports, whether in use yet or not. */
const claims: Server[] = [];

/** True if nobody listens there, and no other test process will: the port is then ours. */
export async function claimPort(port: number): Promise<boolean> {
  // A socket name without a file, which the system frees with its process. Linux only.
  if (process.platform === 'linux') {
    const claim = await listening({ path: `\0matchd-test-port-${port}` });
    if (claim === null) return false;
    claims.push(claim.unref());
  }
  const server = await listening({ port, host: '127.0.0.1' });
  if (server === null) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/** Null if something is listening already. */
function listening(where: { path: string } | { port: number; host: string }) {
  return new Promise<Server | null>((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(where, () => resolve(server));
  });
}
