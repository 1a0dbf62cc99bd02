// [match] A player's end of one match. With a watcher's token it is a spectator's.

import { connect } from '@matchd/sdk/client';

export function play({ url, token, storage }, onState) {
  // [reconnect]
  const resumeToken = storage.getItem('match') ?? undefined;
  const client = connect({ url, token, resumeToken });
  client.on((event) => {
    // [reconnect]
    if (event.kind === 'credential') storage.setItem('match', event.resumeToken);
    if (event.kind === 'session') onState(event.session);
  });
  return client;
}
