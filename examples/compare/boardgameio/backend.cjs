// [lobby] What your backend asks the server for: matches, and seats in them for its users.

const { LobbyClient } = require('boardgame.io/client');

const GAME = 'tic-tac-toe';

exports.makeBackend = ({ url, secret }) => {
  const lobby = new LobbyClient({ server: url });
  // [auth]
  const init = { headers: { 'api-secret': secret } };
  const join = async (matchID, playerName) => ({
    matchID,
    ...(await lobby.joinMatch(GAME, matchID, { playerName }, init)),
  });
  return {
    async create(playerName, { isHidden = false } = {}) {
      const settings = { numPlayers: 2, unlisted: isHidden };
      const { matchID } = await lobby.createMatch(GAME, settings, init);
      return join(matchID, playerName);
    },
    join,
    async listMatches() {
      const { matches } = await lobby.listMatches(GAME, { isGameover: false }, init);
      const open = matches.filter(({ players }) => players.some(({ name }) => name === undefined));
      return open.map(({ matchID }) => matchID);
    },
    // [bot]
    addBot: (matchID) => fetch(`${url}/bots/${matchID}`, { method: 'POST', ...init }),
  };
};
