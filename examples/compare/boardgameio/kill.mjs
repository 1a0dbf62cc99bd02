// Kills the server as soon as the opponent has seen a move, and counts the results after a restart:
// `node kill.mjs sqlite|flatfile|memory [ROUNDS]`.

import {
  countKept,
  freePort,
  makeFolder,
  makeStorage,
  sleep,
  startServer,
  until,
} from '../driver.mjs';
import { makeBackend } from './backend.cjs';
import { play } from './client.cjs';

const SETTLE_MS = 1_500;
const [kind = 'sqlite', rounds = '20'] = process.argv.slice(2);
const port = await freePort();
const env = { ...process.env, API_SECRET: 'of this run', DATA_DIR: makeFolder() };
const program = kind === 'sqlite' ? ['server.cjs', port] : ['plain-server.cjs', port, kind];
const command = [process.execPath, '--require', '../loopback.cjs', ...program.map(String)];
const url = `http://127.0.0.1:${port}`;
console.error = () => {};

await countKept(Number(rounds), async () => {
  const server = await startServer(command, { env });
  const backend = makeBackend({ url, secret: env.API_SECRET });
  const annSeat = await backend.create('ann');
  const benSeat = await backend.join(annSeat.matchID, 'ben');
  const seen = Promise.withResolvers();
  const there = new Set();
  const onState = (name) => (state) => {
    there.add(name);
    if (name === 'ben' && state.G.cells[4] !== null) seen.resolve(server.kill());
  };
  const sit = (seat, name) => play({ url, seat, storage: makeStorage() }, onState(name));
  const clients = [sit(annSeat, 'ann'), sit(benSeat, 'ben')];
  await until('both are there', () => there.size === 2);
  // Whoever is shown the state is notified of moves only a little later.
  await sleep(SETTLE_MS);
  clients[0].moves.place(4);
  await Promise.race([seen.promise, server.ended]);
  for (const client of clients) client.stop();
  const again = await startServer(command, { env });
  let state = null;
  const seat = { matchID: annSeat.matchID };
  const watcher = play({ url, seat, storage: makeStorage() }, (shown) => {
    state = shown;
  });
  // A file that was cut off ends the server as the match is opened.
  await until('the match is shown', () => state || again.isOver());
  watcher.stop();
  await again.kill();
  if (state === null) return 'lost, and the server ended as the match was opened';
  return state.G.cells[4] !== null ? 'kept' : 'lost';
});
process.exit(0);
