// Kills the server as soon as the opponent has seen a move, and counts the results after a restart:
// `node kill.mjs [ROUNDS]`.

import { countKept, freePort, makeFolder, makeStorage, startServer, until } from '../driver.mjs';
import { makeBackend } from './backend.mjs';
import { play } from './client.mjs';

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const command = ['../../../bin/matchd.mjs', 'dev', '--json', '--games', 'games'];
const data = makeFolder();
const start = () =>
  startServer([process.execPath, ...command, '--port', `${port}`, '--data', data], {});

await countKept(Number(process.argv[2] ?? 20), async () => {
  const server = await start();
  const backend = makeBackend({ url, key: JSON.parse(server.line).testKey });
  const made = await backend.create('ann', { matchType: 'private' });
  const joined = await backend.join(made.roomCode, 'ben');
  const seen = Promise.withResolvers();
  const sit = ({ token }, onState) => play({ url, token, storage: makeStorage() }, onState);
  let isActive = false;
  const clients = [
    sit(made, ({ status }) => {
      isActive = status === 'active';
    }),
    sit(joined, ({ view }) => view?.cells[4] === 0 && seen.resolve(server.kill())),
  ];
  const [ann] = await Promise.all(clients.map((client) => client.firstSession()));
  await until('the match began', () => isActive);
  ann.act({ cell: 4 }).catch(() => {});
  await seen.promise;
  for (const client of clients) client.close();
  const again = await start();
  const { inputs } = await backend.replay(made.sessionId);
  await again.kill();
  return inputs[0]?.action.cell === 4 ? 'kept' : 'lost';
});
process.exit(0);
