// [lobby] What your backend asks the service for: matches, and tokens of its users for them.

import { createMatchd } from '@matchd/sdk';

const GAME = 'tic-tac-toe';

export function makeBackend({ url, key }) {
  // [auth]
  const { sessions, bots } = createMatchd({ url, key });
  const seatOf = (session, id) => ({ ...session, token: session.tokens[id] });
  return {
    async create(id, settings = {}) {
      return seatOf(await sessions.create({ game: GAME, players: [{ id }], ...settings }), id);
    },
    async join(roomCode, id) {
      return seatOf(await sessions.join({ game: GAME, roomCode, player: { id } }), id);
    },
    async listMatches() {
      const pending = await Array.fromAsync(sessions.list({ game: GAME, status: 'pending' }));
      const isOpen = ({ matchType, players }) => matchType !== 'private' && players.length < 2;
      return pending.filter(isOpen).map(({ roomCode }) => roomCode);
    },
    // [bot]
    registerBot: () => bots.create({ game: GAME, name: 'Robo', kind: 'builtin' }),
    // [spectators]
    watch: (sessionId) => sessions.watch(sessionId),
    // [replay]
    replay: (sessionId) => sessions.replay(sessionId),
    // [verify]
    verify: (sessionId) => sessions.verify(sessionId),
  };
}
