// [match] A player's end: the lobby, one match at a time, and the way back into it.

import { Client, CloseCode } from '@colyseus/sdk';

const GAME = 'tic-tac-toe';

export function makePlayer({ url, token, storage }, onState) {
  const client = new Client(url);
  // [auth]
  client.auth.token = token;
  let room = null;
  const enter = async (joining, isWatching = false) => {
    room = await joining;
    room.onStateChange(onState);
    // [reconnect]
    storage.setItem('match', JSON.stringify({ match: room.roomId, isWatching }));
    // [crash]
    room.onLeave((code) => code !== CloseCode.CONSENTED && comeBack());
    return room.roomId;
  };
  // [reconnect]
  const resume = () => {
    const place = JSON.parse(storage.getItem('match'));
    return enter(client.create(GAME, place), place.isWatching);
  };
  // [crash]
  const comeBack = () => resume().catch(() => setTimeout(comeBack, 1000));
  return {
    // [lobby]
    create: (options) => enter(client.create(GAME, options)),
    // [lobby]
    join: (code) => enter(client.joinById(code)),
    // [spectators]
    watch: (code) => enter(client.joinById(code, { isWatching: true }), true),
    // [reconnect]
    resume,
    // [lobby]
    async listMatches() {
      const lobby = await client.joinOrCreate('lobby', { filter: { name: GAME } });
      const rooms = await new Promise((resolve) => lobby.onMessage('rooms', resolve));
      await lobby.leave();
      return rooms.map(({ roomId }) => roomId);
    },
    move: (cell) => room.request('move', cell),
    leave: () => room.leave(),
  };
}
