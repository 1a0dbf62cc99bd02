// Plays the sample for real: `npm ci && node play.mjs`.

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
import { makeBackend } from './backend.cjs';
import { play, resume } from './client.cjs';
import { replay } from './replay.cjs';

const port = await freePort();
const env = { ...process.env, API_SECRET: 'of this run', DATA_DIR: makeFolder() };
const command = [process.execPath, '--require', '../loopback.cjs', 'server.cjs', `${port}`];
const start = (more = {}) => startServer(command, { env: { ...env, ...more } });
let server = await start();
const line = await makeLine(port);
const url = `http://127.0.0.1:${line.port}`;
const backend = makeBackend({ url, secret: 'of this run' });
console.error = () => {};

function open(how, place) {
  const seat = { ...place, state: null };
  seat.client = how({ url, ...place }, (state) => {
    seat.state = state;
  });
  return seat;
}
const sit = (place) => open(play, { seat: place, storage: makeStorage() });
const cellsOf = ({ state }) => state?.G.cells.map((cell) => cell ?? '-').join('') ?? '';
const refusalOf = (promise) =>
  promise.then(
    () => null,
    (error) => error.message,
  );

// Lobby, rules, spectators.
const annSeat = await backend.create('ann');
const { matchID } = annSeat;
check('lobby: an open match is listed', (await backend.listMatches()).includes(matchID));
const benSeat = await backend.join(matchID, 'ben');
check('lobby: a full match is not', !(await backend.listMatches()).includes(matchID));
check('lobby: nobody else gets a seat', (await refusalOf(backend.join(matchID, 'cat'))) !== null);
const stranger = makeBackend({ url, secret: 'wrong' });
check(
  'auth: without the secret there is no seat',
  (await refusalOf(stranger.create('eve'))) !== null,
);
const ann = sit(annSeat);
const ben = sit(benSeat);
const cat = sit({ matchID });
const eve = sit({ matchID, playerID: '1', playerCredentials: 'guessed' });
await until('all are there', () => ann.state && ben.state && cat.state);
ann.client.moves.place(4);
await until('the move is seen', () => cellsOf(ben) === '----0----');
cat.client.moves.place(0);
ann.client.moves.place(0);
ben.client.moves.place(4);
await sleep(300);
check('rules: a cell is taken once, in turn, by its own player', cellsOf(ben) === '----0----');
check('spectators: see each move', cellsOf(cat) === '----0----');
check('auth: who only guessed is shown nothing', eve.state === null);

// A line that breaks, a page that is loaded again.
await line.cut(1_000);
await until('the loss was noticed', () => !ben.state.isConnected);
await until('all are back', () => [ann, ben].every(({ state }) => state.isConnected));
ben.client.moves.place(0);
await until('ann is back', () => cellsOf(ann) === '1---0----');
check('reconnect: both are back after a line was cut', true);
const again = open(resume, { storage: ann.storage });
await until('ann is there again', () => again.state);
again.client.moves.place(1);
await until('the move is seen', () => cellsOf(ben) === '10--0----');
check('reconnect: a page that was loaded again goes on', true);

// kill -9.
await server.kill();
const killedAt = Date.now();
server = await start();
await until('all are back', () => [ben, again].every(({ state }) => state.isConnected), 60_000);
const againAt = Date.now();
note(`crash: connected again ${(againAt - killedAt) / 1000} s after kill -9`);
ben.client.moves.place(8);
await until('it is seen', () => cellsOf(again) === '10--0---1');
check('crash: the match goes on where it was', true);
again.client.moves.place(7);
await until('it is over', () => ben.state.ctx.gameover?.winner === '0');
check('rules: three in a row win', true);

// Replay.
const late = sit({ matchID });
await until('the match is shown', () => late.state);
const positions = replay(late.client);
check(
  'replay: every position',
  positions.length === 5 &&
    positions
      .at(-1)
      .map((c) => c ?? '-')
      .join('') === cellsOf(ben),
);

// A private room and its code; a turn that takes too long.
const hidden = await backend.create('ann', { isHidden: true });
check('code: six letters', /^[2-9A-Z]{6}$/.test(hidden.matchID));
check('code: the room is not listed', !(await backend.listMatches()).includes(hidden.matchID));
await server.kill();
server = await start({ TURN_MS: '1000' });
const guest = sit(await backend.join(hidden.matchID, 'ben'));
await until('the turn is over', () => guest.state?.ctx.gameover?.winner === '1');
check('time: a turn that takes too long is lost', true);

// The bot.
await server.kill();
server = await start();
const against = sit(await backend.create('ann'));
await backend.addBot(against.seat.matchID);
await until('it began', () => against.state);
const gameover = () => against.state.ctx.gameover;
const isMyTurn = () => gameover() || against.state.ctx.currentPlayer === '0';
while (!gameover()) {
  await until('it is my turn', isMyTurn);
  const cell = against.state.G.cells.indexOf(null);
  if (!gameover()) against.client.moves.place(cell);
  await sleep(200);
}
check(`bot: plays to the end (${JSON.stringify(gameover())})`, true);
process.exit(0);
