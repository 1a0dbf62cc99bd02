/** A refusal as the outcome of a call. */

import type { ServiceRefusal } from './session-service.ts';

export function refuse(refusal: ServiceRefusal): {
  readonly ok: false;
  readonly refusal: ServiceRefusal;
} {
  return { ok: false, refusal };
}
