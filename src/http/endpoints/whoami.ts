/** The request's key, and what it may use (rule K4). */

import { makeTime } from '../../match/frames/frames.ts';
import { presentScopes } from '../../tenancy/key-scopes.ts';
import type { Endpoint } from '../request/exchange.ts';
import { makeReply } from '../request/exchange.ts';
import { timeOrNull } from '../request/session-answer.ts';

export const whoami: Endpoint = (_, { tenant, key, limits }) => ({
  refusal: null,
  perform: () =>
    makeReply(200, {
      tenant: { id: tenant.id, slug: tenant.slug, name: tenant.name },
      key: {
        id: key.id,
        name: key.name,
        hint: key.hint,
        scopes: presentScopes(key.scopes),
        createdAt: makeTime(key.createdAt),
        expiresAt: timeOrNull(key.expiresAt),
      },
      mode: key.mode,
      plan: tenant.plan,
      limits,
      origins: key.origins,
      requireOrigin: key.requireOrigin,
    }),
});
