/** Alerts on unusual use of API keys, until somebody acknowledges them. */

import { ask } from '../api.ts';
import { type Context, canMake } from '../page.ts';
import { pageUrl } from '../place.ts';
import type { KeyAlert, Page } from '../types.ts';
import { button, el, link } from './dom.ts';
import { exactTime, time } from './time.ts';

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

export interface KeyAlertNotes {
  readonly element: HTMLElement;
  refresh(): Promise<void>;
}

/** Empty as long as there is none. A member who may not see keys may not acknowledge. */
export function makeKeyAlerts(context: Context): KeyAlertNotes {
  const { api, place, world } = context;
  const element = el('div', '');
  let shown = '';
  const refresh = async (): Promise<void> => {
    const { data } = await ask<Page<KeyAlert>>(`${api}/key-alerts`);
    const text = JSON.stringify(data);
    if (text === shown) return;
    shown = text;
    element.replaceChildren(
      ...(data.length === 0
        ? []
        : [el('section', 'card alerts', el('h2', '', 'Unusual use of keys'), list(data))]),
    );
  };
  const list = (alerts: readonly KeyAlert[]): HTMLElement => el('ul', '', ...alerts.map(item));
  const item = (alert: KeyAlert): HTMLElement => {
    const words = WORDS[alert.kind]?.(alert.details) ?? alert.kind;
    const isMaker = canMake(context);
    const name = isMaker
      ? link(pageUrl(place.slug, world, 'keys'), '', alert.keyName)
      : el('strong', '', alert.keyName);
    const close = button('small', 'Acknowledge', async () => {
      await ask(`${api}/key-alerts/${alert.id}/acknowledge`, undefined, 'POST');
      context.say('The alert is acknowledged.');
      await refresh();
    });
    return el('li', '', el('span', '', time(alert.at), ' ', name, ` ${words}`), isMaker && close);
  };
  return { element, refresh };
}
