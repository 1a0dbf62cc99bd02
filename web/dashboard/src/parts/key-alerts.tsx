/** Alerts on unusual use of API keys, until a member acknowledges them. */

import { ask } from '../api.ts';
import { canEdit, useHere, usePageUrl } from '../here.ts';
import { useAnswer } from '../query.ts';
import type { KeyAlert, Page } from '../types.ts';
import { exactTime, Time } from './time.tsx';

type Details = KeyAlert['details'];

/** What happened, in words. */
const WORDS: Readonly<Record<string, (details: Details) => string>> = {
  new_network: () => 'was used from a new network.',
  dormant_key: ({ lastUsedAt }) =>
    `is used again. Its last use was ${exactTime(String(lastUsedAt))}.`,
  refusals: ({ refused, requests }) =>
    `was refused ${refused} of ${requests} requests within an hour (403 and 404).`,
  request_rate: ({ requests, busiestHour }) =>
    `made ${requests} requests within an hour. Its busiest hour in 7 days had ${busiestHour}.`,
  old_secret: ({ endsAt }) =>
    `is still used with its old secret, which ends ${exactTime(String(endsAt))}.`,
};

/** Nothing if there are none. A member who may not see keys may not acknowledge. */
export function KeyAlerts() {
  const here = useHere();
  const url = usePageUrl();
  const alerts = useAnswer<Page<KeyAlert>>(`${here.api}/key-alerts`, ['keys']);
  if (alerts.data === undefined || alerts.data.data.length === 0) return null;
  const isMaker = canEdit(here);
  const acknowledge = async (id: string): Promise<void> => {
    await ask(`${here.api}/key-alerts/${id}/acknowledge`, undefined, 'POST');
    here.say('The alert is acknowledged.');
    await alerts.refetch();
  };
  return (
    <section class="card alerts">
      <h2>Unusual use of keys</h2>
      <ul>
        {alerts.data.data.map(({ id, at, keyName, kind, details }) => (
          <li key={id}>
            <span>
              <Time at={at} />{' '}
              {isMaker ? <a href={url('keys')}>{keyName}</a> : <strong>{keyName}</strong>}{' '}
              {WORDS[kind]?.(details) ?? kind}
            </span>
            {isMaker && (
              <button type="button" class="small" onClick={() => acknowledge(id)}>
                Acknowledge
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
