/** A webhook as the store returns it, for tests of what is delivered to it. */

import type { Webhook } from '../../store/webhooks.ts';

/** Enabled, for every type of event, and first claimed by the caller (`epoch` 1). */
export const WEBHOOK: Webhook = {
  id: 'whk_a',
  tenant: 'ten_a',
  mode: 'live',
  url: 'https://a.example/',
  types: [],
  description: '',
  secrets: [],
  disabled: null,
  failingSince: null,
  createdAt: 0,
  cursor: 0,
  epoch: 1,
};
