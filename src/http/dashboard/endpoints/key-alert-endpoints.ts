/** Alerts on unusual use of the keys of one world of a tenant (rule K6). */

import { makeDashboardProblem, type Problem } from '../../../contract/errors.ts';
import { makeTime } from '../../../match/frames/frames.ts';
import { isId } from '../../../runtime/ids.ts';
import type { Reply } from '../../request/exchange.ts';
import type { SiteDeps } from '../deps.ts';
import { actorOf, ok, type WorldRequest } from '../request/dashboard-request.ts';

/** Open alerts per page. */
const ALERTS_MAX = 50;

export function makeKeyAlertEndpoints({
  dashboard: { keys, keyAlerts },
  clock,
}: Pick<SiteDeps, 'clock' | 'dashboard'>) {
  return {
    /** Unacknowledged alerts. */
    async listKeyAlerts({ tenant, world }: WorldRequest): Promise<Reply> {
      const open = await keyAlerts.listKeyAlerts(tenant.id, world, ALERTS_MAX);
      const names = new Map(
        open.length === 0 ? [] : (await keys.list(tenant.id)).map(({ id, name }) => [id, name]),
      );
      const data = open.map(({ id, key, kind, at, details }) => ({
        id,
        keyId: key,
        keyName: names.get(key) ?? key,
        kind,
        at: makeTime(at),
        details: JSON.parse(details) as object,
      }));
      return ok({ data });
    },
    async acknowledgeKeyAlert(asked: WorldRequest): Promise<Reply | Problem> {
      const { params, tenant, world } = asked;
      const id = params['alert']!;
      if (!isId('evt', id)) return makeDashboardProblem('alert_not_found');
      const at = clock.now();
      const audit = {
        tenant: tenant.id,
        actor: actorOf(asked),
        at,
        act: 'key.alert_acknowledged',
        object: id,
      };
      const isDone = await keyAlerts.acknowledgeKeyAlert(tenant.id, world, id, at, audit);
      return isDone ? ok({ id, acknowledged: true }) : makeDashboardProblem('alert_not_found');
    },
  };
}
