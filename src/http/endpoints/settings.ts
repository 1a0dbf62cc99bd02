/** A tenant's settings of one of its worlds (rule K9). */

import { isProblem } from '../../contract/errors.ts';
import { readFields } from '../../contract/fields.ts';
import { settingsChange } from '../../contract/routes/settings-routes.ts';
import { actorOf } from '../request/actor.ts';
import type { HttpDeps } from '../request/deps.ts';
import { type Caller, type Endpoints, makeReply, type Reply } from '../request/exchange.ts';

export function makeSettingsEndpoints(
  deps: Pick<HttpDeps, 'settings' | 'clock'>,
): Pick<Endpoints, 'getSettings' | 'updateSettings'> {
  const { settings, clock } = deps;
  const present = async ({ tenant, key }: Caller): Promise<Reply> =>
    makeReply(200, await settings.findSettings(tenant.id, key.mode));
  return {
    getSettings: (_, caller) => ({ refusal: null, perform: () => present(caller) }),
    updateSettings: ({ fields }, caller) => {
      const asked = readFields(settingsChange, fields);
      if (isProblem(asked)) return asked;
      return {
        refusal: null,
        async perform() {
          const { tenant, key } = caller;
          const { rematch } = asked;
          if (rematch) {
            const audit = {
              tenant: tenant.id,
              actor: actorOf(caller),
              act: 'settings.updated',
              object: `${key.mode} rematch=${rematch}`,
              at: clock.now(),
            };
            await settings.putSettings(tenant.id, key.mode, { rematch }, audit);
          }
          return present(caller);
        },
      };
    },
  };
}
