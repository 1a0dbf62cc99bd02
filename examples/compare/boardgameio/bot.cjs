// [bot] Plays seats on the server, as a client of it: boardgame.io's bots are for local matches.

const { MCTSBot } = require('boardgame.io/ai');
const { Client, LobbyClient } = require('boardgame.io/client');
const { SocketIO } = require('boardgame.io/multiplayer');
const { TicTacToe } = require('./game.cjs');

const GAME = TicTacToe.name;
const NAME = 'Bot';

exports.playBots = ({ db, router }, url) => {
  const lobby = new LobbyClient({ server: url });
  const headers = { 'api-secret': process.env.API_SECRET };
  router.post('/bots/:matchID', async (ctx) => {
    const { matchID } = ctx.params;
    const seat = await lobby.joinMatch(GAME, matchID, { playerName: NAME }, { headers });
    play(url, matchID, seat.playerID, seat.playerCredentials);
    ctx.body = {};
  });
  return {
    // [crash]
    async comeBack() {
      const where = { isGameover: false };
      for (const matchID of await db.listMatches({ gameName: GAME, where })) {
        const { metadata } = await db.fetch(matchID, { metadata: true });
        for (const { id, name, credentials } of Object.values(metadata.players)) {
          if (name === NAME) play(url, matchID, `${id}`, credentials);
        }
      }
    },
  };
};

function play(server, matchID, playerID, credentials) {
  const multiplayer = SocketIO({ server });
  const client = Client({ game: TicTacToe, multiplayer, matchID, playerID, credentials });
  const bot = new MCTSBot({ game: TicTacToe, enumerate: TicTacToe.ai.enumerate });
  let lastTurn = 0;
  const unsubscribe = client.subscribe(async (state) => {
    if (state?.ctx.gameover) {
      unsubscribe();
      return client.stop();
    }
    // It gets its own move, too, before the server has ended the turn.
    if (state?.ctx.currentPlayer !== playerID || state.ctx.turn === lastTurn) return;
    lastTurn = state.ctx.turn;
    const { action } = await bot.play(state, playerID);
    client.moves.place(...action.payload.args);
  });
  client.start();
}
