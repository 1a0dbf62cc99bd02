// [replay] A match after its end, position by position: the log that every client gets, through the rules again.

const { CreateGameReducer } = require('boardgame.io/internal');
const { TicTacToe } = require('./game.cjs');

exports.replay = (client) => {
  const reduce = CreateGameReducer({ game: TicTacToe });
  let state = client.getInitialState();
  const moves = client.log.filter(({ automatic }) => !automatic);
  const positions = moves.map(({ action }) => {
    const next = reduce(state, action);
    // [verify]
    if (next._stateID === state._stateID) throw new Error('A move of the log is not legal');
    state = next;
    return next.G.cells;
  });
  return positions;
};
