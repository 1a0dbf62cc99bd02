/** Listeners to deliveries: metrics, and pages that show them. */

import type { Webhook } from '../../store/webhooks.ts';

type Told = Pick<Webhook, 'tenant' | 'mode'>;

export interface DeliveryListeners {
  /** A request to an endpoint was answered, or failed. */
  readonly onAttempt?: ((webhook: Told, isDelivered: boolean, ms: number) => void) | undefined;
  /** The result of a delivery is stored, and can be read. */
  readonly onStored?: ((webhook: Told) => void) | undefined;
}
