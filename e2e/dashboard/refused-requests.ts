/** Requests of a page that the service refuses, for a while. */

import type { Page, Route } from 'playwright-core';

/** The service as it is when it cannot reach its store. */
const UNAVAILABLE = {
  status: 503,
  headers: { 'x-request-id': 'req_away', 'x-error-code': 'unavailable' },
  json: { error: 'Service unavailable' },
};

/** Refuses these requests until the returned function is called. */
export async function refuse(
  page: Page,
  url: string | RegExp,
  refusal: Parameters<Route['fulfill']>[0] = UNAVAILABLE,
): Promise<() => void> {
  let refuses = true;
  await page.route(url, (route) => (refuses ? route.fulfill(refusal) : route.fallback()));
  return () => {
    refuses = false;
  };
}
