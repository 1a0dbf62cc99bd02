// The server with the storage that boardgame.io brings, for `kill.mjs`: `node plain-server.cjs PORT flatfile|memory`.
// Nothing of this is counted.

const { FlatFile, Server } = require('boardgame.io/server');
const { TicTacToe } = require('./game.cjs');

const [port, kind] = process.argv.slice(2);
const db = kind === 'memory' ? undefined : new FlatFile({ dir: process.env.DATA_DIR });
Server({ games: [TicTacToe], origins: false, db }).run(Number(port), () => console.log('ready'));
