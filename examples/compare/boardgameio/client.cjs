// [match] A player's end of one match. Without `playerID` it is a spectator's.

const { Client } = require('boardgame.io/client');
const { SocketIO } = require('boardgame.io/multiplayer');
const { TicTacToe } = require('./game.cjs');

exports.play = ({ url, seat, storage }, onState) => {
  const multiplayer = SocketIO({ server: url });
  const { matchID, playerID, playerCredentials: credentials } = seat;
  const client = Client({ game: TicTacToe, multiplayer, matchID, playerID, credentials });
  client.subscribe((state) => state && onState(state));
  client.start();
  // [reconnect]
  storage.setItem('match', JSON.stringify(seat));
  return client;
};

// [reconnect]
exports.resume = ({ url, storage }, onState) =>
  exports.play({ url, seat: JSON.parse(storage.getItem('match')), storage }, onState);
