/** Finds a port to listen on, below those that the kernel gives to connections. */

const FIRST = 20_000;
const COUNT = 12_000;
const ATTEMPTS_MAX = 50;

export function freePort(): number {
  for (let i = 0; i < ATTEMPTS_MAX; i++) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (isFree(port)) return port;
  }
  throw new Error(`no free port found between ${FIRST} and ${FIRST + COUNT}`);
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true);
    return true;
  } catch {
    return false;
  }
}
