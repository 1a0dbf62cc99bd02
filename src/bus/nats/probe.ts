/** Asks each NATS server whether it is there, for whoever looks for a fault. */

import { connect } from '@nats-io/transport-node';
import { parseServers } from './servers.ts';

/** Of one server: how long an answer takes, or why there is none. */
export type Probe =
  | { readonly server: string; readonly answerMs: number }
  | { readonly server: string; readonly reason: string };

const CONNECT_MS = 3_000;

/** `servers` as in `NatsBusOptions`. Throws when they are no addresses. */
export function probeServers(servers: string): Promise<readonly Probe[]> {
  const access = parseServers(servers);
  const ask = async (server: string): Promise<Probe> => {
    try {
      const connection = await connect({
        ...access,
        servers: [server],
        timeout: CONNECT_MS,
        reconnect: false,
        ignoreClusterUpdates: true,
      });
      const answerMs = await connection.rtt();
      await connection.close();
      return { server, answerMs };
    } catch (error) {
      return { server, reason: error instanceof Error ? error.message : String(error) };
    }
  };
  return Promise.all(access.servers.map(ask));
}
