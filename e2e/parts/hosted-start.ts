/** A hosted match that starts without its players, as if they had left the page. */

import { openSocket } from '../../src/testing/sockets/socket-client.ts';
import { call, type Tenant } from './matches.ts';

/**
 * All players wait in the lobby and disconnect before the start. Returns the play URLs by player.
 */
export async function startHosted(
  tenant: Tenant,
  game: string,
  players: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const hosted = (path: string, body: object) =>
    call(tenant, 'POST', `/matchmaking/hosted/${path}?game=${game}`, body);
  const { ticketId } = (await hosted('ticket', {})) as { ticketId: string };
  const lobbies = [];
  for (const playerId of players) {
    const { token } = (await call(tenant, 'POST', `/v1/players/${playerId}/token`, {})) as {
      token: string;
    };
    const lobby = await openSocket(Number(new URL(tenant.url).port), { token });
    await lobby.next('welcome');
    lobbies.push(lobby);
    await hosted(`ticket/${ticketId}/players`, { playerId });
  }
  const { group } = (await hosted(`ticket/${ticketId}/promote`, {})) as { group: { id: string } };
  for (const lobby of lobbies) await lobby.close();
  const isConnected = async (id: string): Promise<boolean> =>
    ((await call(tenant, 'GET', `/v1/players/${id}`)) as { connected: boolean }).connected;
  for (const id of players) {
    while (await isConnected(id)) await Bun.sleep(20);
  }
  const { playUrls } = (await hosted('start-match', { groupIds: [group.id] })) as {
    playUrls: Readonly<Record<string, string>>;
  };
  return playUrls;
}
