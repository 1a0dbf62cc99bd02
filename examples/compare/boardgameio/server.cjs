// [match] The server: `API_SECRET=… DATA_DIR=… node server.cjs PORT`.

const { randomInt, randomUUID } = require('node:crypto');
const { Server } = require('boardgame.io/server');
const { playBots } = require('./bot.cjs');
const { TicTacToe } = require('./game.cjs');
const { SqliteStorage } = require('./storage.cjs');
const { endLateTurns } = require('./time.cjs');

// [code]
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
// [code]
const makeCode = () => Array.from({ length: 6 }, () => LETTERS[randomInt(LETTERS.length)]).join('');

const port = Number(process.argv[2]);
const url = `http://127.0.0.1:${port}`;
const server = Server({
  games: [TicTacToe],
  origins: [/^https?:\/\/(127\.0\.0\.1|localhost)/],
  // [crash]
  db: new SqliteStorage(`${process.env.DATA_DIR}/matches.db`),
  // [code]
  uuid: makeCode,
  // [code]
  generateCredentials: () => randomUUID(),
});
// [bot]
const bots = playBots(server, url);
server.run(port, () => {
  // [crash]
  bots.comeBack();
  // [time]
  setInterval(() => endLateTurns(server, url), 1000);
  console.log('ready');
});
