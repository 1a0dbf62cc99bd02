/** Checks whether each NATS server answers, for diagnosis. */

import { connect } from '@nats-io/transport-node';
import { parseServers } from './servers.ts';

/** For one server: its response time, or why there is none. */
export type Probe =
  | { readonly server: string; readonly answerMs: number }
  | { readonly server: string; readonly reason: string };

const CONNECT_MS = 3_000;

/** `servers` as in `NatsBusOptions`. Throws for invalid addresses. */
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
