/** API keys of one world of a tenant. */

import {
  isProblem,
  makeDashboardProblem,
  makeProblem,
  type Problem,
} from '../../../contract/errors.ts';
import type { FieldsOf } from '../../../contract/routes/dashboard-routes.ts';
import { makeTime } from '../../../match/frames/frames.ts';
import { hintOfOld, type KeyChange, statusOf } from '../../../runtime/access/key-service.ts';
import { isId } from '../../../runtime/ids.ts';
import type { OldSecret } from '../../../store/store.ts';
import { parseKeyScopes, presentScopes } from '../../../tenancy/key-scopes.ts';
import { parseOriginPattern } from '../../../tenancy/origin.ts';
import type { ApiKey } from '../../../tenancy/tenant.ts';
import type { Reply } from '../../request/exchange.ts';
import { makeReply } from '../../request/exchange.ts';
import { timeOrNull } from '../../request/session-answer.ts';
import type { SiteDeps } from '../deps.ts';
import { actorOf, ok, type WorldRequest } from '../request/dashboard-request.ts';
import { readKeyRoutes } from './key-routes.ts';

const OVERLAP_S_DEFAULT = 86_400;

export function makeKeyEndpoints({
  dashboard: { keys, journal },
  clock,
}: Pick<SiteDeps, 'clock' | 'dashboard'>) {
  const present = async (key: ApiKey): Promise<object> =>
    presentKey(key, (await keys.oldTexts(key.tenant)).get(key.id), clock.now());
  /** A key of this world; keys of the other world do not exist here. */
  const withKey = async (
    { params, tenant, world }: WorldRequest,
    act: (key: ApiKey) => Promise<Reply | Problem>,
  ): Promise<Reply | Problem> => {
    const id = params['key']!;
    const key = isId('key', id) ? await keys.find(id) : null;
    const isHere = key !== null && key.tenant === tenant.id && key.mode === world;
    return isHere ? act(key) : makeDashboardProblem('key_not_found');
  };
  return {
    async listKeys({ tenant, world }: WorldRequest): Promise<Reply> {
      const [all, old] = await Promise.all([keys.list(tenant.id), keys.oldTexts(tenant.id)]);
      const here = all.filter(({ mode }) => mode === world);
      return ok({ data: here.map((key) => presentKey(key, old.get(key.id), clock.now())) });
    },
    async createKey(asked: WorldRequest<FieldsOf<'createKey'>>): Promise<Reply | Problem> {
      const { fields } = asked;
      const change = parseChange(fields, clock.now());
      if (isProblem(change)) return change;
      const { tenant, world: mode } = asked;
      const settings = {
        tenant: tenant.id,
        mode,
        name: fields.name.trim(),
        scopes: fields.scopes == null ? null : parseKeyScopes(fields.scopes),
        origins: change.origins ?? [],
        requireOrigin: change.requireOrigin ?? false,
        expiresAt: change.expiresAt ?? null,
      };
      const made = await keys.create(settings, actorOf(asked));
      if (made === 'full') return makeDashboardProblem('too_many_keys');
      return makeReply(201, { ...(await present(made.key)), key: made.text });
    },
    updateKey: (asked: WorldRequest<FieldsOf<'updateKey'>>) =>
      withKey(asked, async (key) => {
        if (key.revokedAt !== null) return makeDashboardProblem('key_not_active');
        const change = parseChange(asked.fields, clock.now());
        if (isProblem(change)) return change;
        return ok(await present(await keys.update(key, change, actorOf(asked))));
      }),
    rotateKey: (asked: WorldRequest<FieldsOf<'rotateKey'>>) =>
      withKey(asked, async (key) => {
        if (statusOf(key, clock.now()) !== 'active') return makeDashboardProblem('key_not_active');
        const { overlapSeconds } = asked.fields;
        const overlapMs = (overlapSeconds ?? OVERLAP_S_DEFAULT) * 1_000;
        const made = await keys.rotate(key, overlapMs, actorOf(asked));
        const overlapUntil = makeTime(made.overlapUntil);
        return ok({ ...(await present(made.key)), key: made.text, overlapUntil });
      }),
    listKeyRoutes: (asked: WorldRequest) =>
      withKey(asked, async (key) => ok(await readKeyRoutes(journal, key))),
    revokeKey: (asked: WorldRequest) =>
      withKey(asked, async (key) => ok(await present(await keys.revoke(key, actorOf(asked))))),
    /** A repeat is allowed, as with revoking: afterwards only the newest secret is valid. */
    endKeyOverlap: (asked: WorldRequest) =>
      withKey(asked, async (key) => {
        if (statusOf(key, clock.now()) !== 'active') return makeDashboardProblem('key_not_active');
        await keys.endOverlap(key, actorOf(asked));
        return ok(await present(key));
      }),
  };
}

/** The given fields as they are stored. An expiry of null means never. */
function parseChange(fields: FieldsOf<'updateKey'>, now: number): KeyChange | Problem {
  const { name, origins, requireOrigin, expiresAt } = fields;
  const parsed = origins?.map(parseOriginPattern);
  if (parsed?.includes(null)) return makeProblem('invalid_field', { field: 'origins' });
  const expiry = typeof expiresAt === 'string' ? Date.parse(expiresAt) : expiresAt;
  if (typeof expiry === 'number' && expiry <= now) {
    return makeProblem('invalid_field', { field: 'expiresAt' });
  }
  return {
    ...(name ? { name: name.trim() } : null),
    ...(parsed === undefined ? null : { origins: [...new Set(parsed as string[])] }),
    ...(requireOrigin == null ? null : { requireOrigin }),
    ...(expiry === undefined ? null : { expiresAt: expiry }),
  };
}

function presentKey(key: ApiKey, old: readonly OldSecret[] | undefined, now: number): object {
  const { id, name, mode, hint, origins, requireOrigin } = key;
  return {
    id,
    name,
    mode,
    hint,
    status: statusOf(key, now),
    origins,
    requireOrigin,
    scopes: presentScopes(key.scopes),
    createdAt: makeTime(key.createdAt),
    expiresAt: timeOrNull(key.expiresAt),
    revokedAt: timeOrNull(key.revokedAt),
    lastUsedAt: timeOrNull(key.lastUsedAt),
    // An inactive key has no valid secret.
    oldTexts: (statusOf(key, now) === 'active' ? (old ?? []) : []).map((each) => ({
      hint: hintOfOld(key, each),
      expiresAt: makeTime(each.expiresAt),
      lastUsedAt: timeOrNull(each.lastUsedAt),
    })),
  };
}
