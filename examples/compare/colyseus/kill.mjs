// Kills the server as soon as the opponent has seen a move, and counts the results after a restart:
// `node kill.mjs [ROUNDS]`.

import { JWT } from '@colyseus/auth';
import { countKept, freePort, makeFolder, makeStorage, startServer, until } from '../driver.mjs';
import { makePlayer } from './client.mjs';

console.info = () => {};
console.warn = () => {};
JWT.settings.secret = 'of this run';
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const env = { ...process.env, JWT_SECRET: 'of this run', DATA_DIR: makeFolder() };
const start = () => startServer([process.execPath, 'server.mjs', `${port}`], { env });

async function makeSeat(id, onState) {
  return makePlayer({ url, token: await JWT.sign({ id }), storage: makeStorage() }, onState);
}

await countKept(Number(process.argv[2] ?? 20), async () => {
  const server = await start();
  const seen = Promise.withResolvers();
  const ann = await makeSeat('ann', () => {});
  let seats = 0;
  const ben = await makeSeat('ben', (state) => {
    seats = state.seats.length;
    if (state.cells[4] === 0) seen.resolve(server.kill());
  });
  const code = await ann.create({});
  await ben.join(code);
  await until('both are seated', () => seats === 2);
  ann.move(4).catch(() => {});
  await seen.promise;
  const again = await start();
  let state = null;
  const watcher = await makeSeat('cat', (shown) => {
    state = shown.toJSON();
  });
  // Whoever comes back first brings the room back.
  await until('the room is back', () => watcher.watch(code).catch(() => null));
  await until('the match is shown', () => state);
  await again.kill();
  return state.cells[4] === 0 ? 'kept' : 'lost';
});
process.exit(0);
