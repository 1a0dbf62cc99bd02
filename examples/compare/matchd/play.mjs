// Plays the sample for real, after `npm run build` of the project: `npm install && node play.mjs`.

import {
  check,
  freePort,
  makeFolder,
  makeLine,
  makeStorage,
  note,
  startServer,
  until,
} from '../driver.mjs';
import { makeBackend } from './backend.mjs';
import { play } from './client.mjs';
import { positionsOf } from './replay.mjs';

const port = await freePort();
const data = makeFolder();
const command = ['../../../bin/matchd.mjs', 'dev', '--json', '--games', 'games'];
const start = () =>
  startServer([process.execPath, ...command, '--port', `${port}`, '--data', data], {});
let server = await start();
const { testKey: key } = JSON.parse(server.line);
const line = await makeLine(port);
const url = `http://127.0.0.1:${line.port}`;
const backend = makeBackend({ url: `http://127.0.0.1:${port}`, key });

async function sit(token, storage = makeStorage()) {
  const seat = { storage, state: null };
  const client = play({ url, token, storage }, (session) => {
    seat.state = session;
  });
  seat.session = await client.firstSession();
  return seat;
}
const cellsOf = ({ state }) => state?.view?.cells.map((cell) => cell ?? '-').join('') ?? '';
const refusalOf = (promise) =>
  promise.then(
    () => null,
    (error) => error.code ?? error.message,
  );
const move = ({ session }, cell) => session.act({ cell });

// Lobby, rules, spectators.
const made = await backend.create('ann');
const { sessionId, roomCode } = made;
check('lobby: an open match is listed', (await backend.listMatches()).includes(roomCode));
const joined = await backend.join(roomCode, 'ben');
check('lobby: a full match is not', !(await backend.listMatches()).includes(roomCode));
check('lobby: nobody else gets a seat', (await refusalOf(backend.join(roomCode, 'cat'))) !== null);
const stranger = makeBackend({ url, key: 'mk_test_wrong' });
check('auth: without a key there is no seat', (await refusalOf(stranger.create('eve'))) !== null);
const players = await Promise.all([made, joined].map(({ token }) => sit(token)));
await until('the match began', () => players[0].state.status === 'active');
// Who begins is drawn.
const [ann, ben] = players.sort((a, b) => a.state.seat - b.state.seat);
const cat = await sit((await backend.watch(sessionId)).token);
await move(ann, 4);
check('rules: a cell is taken once', (await refusalOf(move(ben, 4))) === 'illegal_move');
check('rules: in turn', (await refusalOf(move(ann, 0))) === 'not_your_turn');
check('spectators: cannot move', (await refusalOf(move(cat, 0))) !== null);
await until('the spectator sees the move', () => cellsOf(cat) === '----0----');
check('spectators: see each move', true);

// A line that breaks with a move under way, a page that is loaded again.
const cut = line.cut(1_000);
const sent = move(ben, 0);
await cut;
await sent;
await until('ann is back', () => cellsOf(ann) === '1---0----');
check('reconnect: both are back after a line was cut, and the move was made once', true);
const again = await sit(undefined, ann.storage);
await move(again, 1);
await until('the move is seen', () => cellsOf(ben) === '10--0----');
check('reconnect: a page that was loaded again goes on', true);

// kill -9.
await server.kill();
const killedAt = Date.now();
const late = move(ben, 8);
server = await start();
await late;
note(`crash: the next move was made ${(Date.now() - killedAt) / 1000} s after kill -9`);
await until('it is seen', () => cellsOf(again) === '10--0---1');
check('crash: the match goes on where it was', true);
await move(again, 7);
const { reason } = await until('it is over', () => ben.state.result);
check('rules: three in a row win', reason === 'three_in_a_row');

// Replay and verification.
const positions = positionsOf(await backend.replay(sessionId));
const last = positions
  .at(-1)
  .map((cell) => cell ?? '-')
  .join('');
check('replay: every position', positions.length === 5 && last === cellsOf(ben));
check('verify: the log was followed', (await backend.verify(sessionId)).ok);

// A private room and its code; a turn that takes too long.
const settings = { matchType: 'private', options: { turnTimeoutMs: 5_000 } };
const hidden = await backend.create('ann', settings);
check('code: six letters', /^[2-9A-Z]{6}$/.test(hidden.roomCode));
check('code: the room is not listed', !(await backend.listMatches()).includes(hidden.roomCode));
const guest = await backend.join(hidden.roomCode, 'ben');
const [host, visitor] = await Promise.all([hidden, guest].map(({ token }) => sit(token)));
await until('the turn is over', () => visitor.state.result?.reason === 'afk_timeout');
check('time: a turn that takes too long is lost', host.state.result.winner === 'ben');

// The bot.
await backend.registerBot();
const against = await sit((await backend.create('ann', { matchType: 'bot' })).token);
while (against.state.result === null || against.state.result === undefined) {
  const { turn, seat, legal } = against.state;
  if (turn === seat && legal.length > 0) await refusalOf(against.session.act(legal[0]));
  await new Promise((resolve) => setTimeout(resolve, 20));
}
check(`bot: plays to the end (${against.state.result.reason})`, true);
process.exit(0);
