/** Who is told of deliveries as they go on: figures, and pages that show them. */

import type { Webhook } from '../../store/webhooks.ts';

type Told = Pick<Webhook, 'tenant' | 'mode'>;

export interface DeliveryListeners {
  /** A request to an endpoint has its answer, or none. */
  readonly onAttempt?: ((webhook: Told, isDelivered: boolean, ms: number) => void) | undefined;
  /** What came of sending is kept, and can be read. */
  readonly onKept?: ((webhook: Told) => void) | undefined;
}
