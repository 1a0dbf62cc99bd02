// Plays the sample for real: `npm ci && node play.mjs`, with Node 22 or newer.

import { JWT } from '@colyseus/auth';
import {
  check,
  freePort,
  makeFolder,
  makeLine,
  makeStorage,
  note,
  sleep,
  startServer,
  until,
} from '../driver.mjs';
import { makePlayer } from './client.mjs';
import { loadReplay } from './replay.mjs';

/** The SDK comes back by itself only after this time in a room. */
const UPTIME_MS = 5_200;
console.info = () => {};
JWT.settings.secret = 'of this run';

const port = await freePort();
const env = { ...process.env, JWT_SECRET: 'of this run', DATA_DIR: makeFolder() };
const command = [process.execPath, 'server.mjs', `${port}`];
const start = (more = {}) => startServer(command, { env: { ...env, ...more } });
let server = await start();

const line = await makeLine(port);
const url = `http://127.0.0.1:${line.port}`;

async function makeSeat(id, storage = makeStorage()) {
  const token = await JWT.sign({ id });
  const seat = { storage, state: null, changes: 0 };
  const player = makePlayer({ url, token, storage }, (state) => {
    seat.state = state.toJSON();
    seat.changes += 1;
  });
  return Object.assign(seat, player);
}

const cellsOf = (seat) => seat.state?.cells.join() ?? '';
const reasonOf = (promise) =>
  promise.then(
    () => null,
    (error) => error.reason ?? error.message,
  );

// Lobby, rules, spectators.
const [ann, ben, cat] = await Promise.all(['ann', 'ben', 'cat'].map((id) => makeSeat(id)));
const code = await ann.create({});
await until('the match is listed', async () => (await cat.listMatches()).includes(code));
check('lobby: an open match is listed', true);
await ben.join(code);
await until('both are seated', () => ann.state.seats.length === 2);
check('lobby: a full match is not', !(await cat.listMatches()).includes(code));
check('lobby: nobody else gets a seat', (await reasonOf(cat.join(code))) !== null);
await cat.watch(code);
await ann.move(4);
check('rules: a cell is taken once', (await reasonOf(ben.move(4))) === 'illegal_move');
check('rules: in turn', (await reasonOf(ann.move(0))) === 'illegal_move');
check('spectators: cannot move', (await reasonOf(cat.move(0))) === 'illegal_move');
await until('the spectator sees the move', () => cat.state?.cells[4] === 0);
check('spectators: see each move', true);

// A line that breaks, a page that is loaded again.
await sleep(UPTIME_MS);
await line.cut(1_000);
await until('ben is back', async () => (await reasonOf(ben.move(0))) === null);
await until('ann is back', () => ann.state.cells[0] === 1);
check('reconnect: both are back after a line was cut', true);
const reloaded = await makeSeat('ann', ann.storage);
await reloaded.resume();
await reloaded.move(1);
await until('the move is seen', () => ben.state.cells[1] === 0);
check('reconnect: a page that was loaded again goes on', true);

// kill -9.
await server.kill();
const killedAt = Date.now();
server = await start();
await until('all are back', async () => (await reasonOf(ben.move(8))) === null, 90_000);
note(`crash: on again ${((Date.now() - killedAt) / 1000).toFixed(1)} s after kill -9`);
await until('it is seen', () => reloaded.state.cells[8] === 1, 90_000);
check('crash: the match goes on where it was', cellsOf(ben) === '1,0,-1,-1,0,-1,-1,-1,1');
await reloaded.move(7);
await until('it is over', () => ben.state.winner === 0);
check('rules: three in a row win', true);

// Replay.
const positions = await loadReplay(url, code);
check('replay: every position', positions.length === 5 && positions.at(-1).join() === cellsOf(ben));

// A private room and its code; a turn that takes too long.
for (const seat of [ann, ben, cat, reloaded]) await seat.leave();
await server.kill();
server = await start({ TURN_MS: '1000' });
const hidden = await ann.create({ isHidden: true });
check('code: six letters', /^[2-9A-Z]{6}$/.test(hidden));
check('code: the room is not listed', !(await cat.listMatches()).includes(hidden));
await ben.join(hidden);
await until('the turn is over', () => ben.state.winner === 1);
check('time: a turn that takes too long is lost', true);

// The bot.
await ann.create({ withBot: true });
for (const cell of [0, 1, 2, 3, 5, 6, 7, 8, 4]) {
  if (ann.state.winner === -1 && ann.state.cells[cell] === -1) await ann.move(cell);
  await sleep(20);
}
check('bot: does not lose', ann.state.winner === 1 || ann.state.winner === 2);
process.exit(0);
