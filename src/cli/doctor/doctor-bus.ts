/** `matchd doctor` on the bus: does each of its servers answer? */

import { type Finding, fail, ok, warn } from './finding.ts';

/** A line for each server that does not answer, or one for all. */
export async function checkBus(servers: readonly string[]): Promise<readonly Finding[]> {
  if (servers.length === 0)
    return [ok('bus', 'none: nodes exchange messages through the database, which is slower')];
  const { probeServers } = await import('../../bus/nats/probe.ts');
  const probes = await probeServers(servers.join());
  const times = probes.flatMap((probe) => ('answerMs' in probe ? [probe.answerMs] : []));
  const faults = probes.flatMap((probe) => ('reason' in probe ? [probe] : []));
  if (faults.length === 0) {
    const [least, most] = [Math.min(...times), Math.max(...times)];
    return [ok('bus', `${times.length} servers, which answer in ${least} to ${most} ms`)];
  }
  const todo =
    'start it, or check its address, password and certificate; until then nodes use the database';
  const say = times.length === 0 ? fail : warn;
  return faults.map(({ server, reason }) => say('bus', `${server}: ${reason}`, todo));
}
