// [time] Ends turns that take too long: the server has no timers, so it looks for such matches once a second.

const { Client } = require('boardgame.io/client');
const { SocketIO } = require('boardgame.io/multiplayer');
const { TicTacToe } = require('./game.cjs');

const TURN_MS = Number(process.env.TURN_MS ?? 30_000);

exports.endLateTurns = async ({ db }, server) => {
  const where = { isGameover: false, updatedBefore: Date.now() - TURN_MS };
  for (const matchID of await db.listMatches({ gameName: TicTacToe.name, where })) {
    const { state, metadata } = await db.fetch(matchID, { state: true, metadata: true });
    const players = Object.values(metadata.players);
    if (players.some(({ name }) => name === undefined)) continue;
    const playerID = state.ctx.currentPlayer;
    const { credentials } = metadata.players[playerID];
    const multiplayer = SocketIO({ server });
    const client = Client({ game: TicTacToe, multiplayer, matchID, playerID, credentials });
    const unsubscribe = client.subscribe((now) => {
      if (now === null) return;
      unsubscribe();
      if (now.ctx.currentPlayer === playerID) client.moves.runOutOfTime();
      setTimeout(() => client.stop(), 1000);
    });
    client.start();
  }
};
