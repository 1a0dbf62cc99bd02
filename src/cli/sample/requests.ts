/**
 * The requests of the sample tenant's backend in a month: for its matches, lists, and failed ones.
 */

import type { Randomness } from '../../runtime/ports.ts';
import type { RequestRow } from '../../store/journal.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { Chance } from './chance.ts';
import { makeIdsAt } from './ids-at.ts';
import { bustleAt, DAY_MS, DAYS } from './month.ts';
import type { WrittenMatch } from './write-match.ts';

/** Of a usual minute at the busiest time of a day. */
const LOOKS_A_MINUTE = 0.2;
const MINUTE_MS = 60_000;

/** So long ago the sample service answered with 5xx for a while. */
const TROUBLE = { from: 3 * DAY_MS + 40 * MINUTE_MS, ms: 35 * MINUTE_MS } as const;

const LOOKS = [
  ['GET', 'listSessions'],
  ['GET', 'getPlayer'],
  ['GET', 'listLeaders'],
  ['GET', 'getSession'],
  ['GET', 'listEvents'],
] as const;

export interface RequestPlan {
  readonly tenant: string;
  readonly keys: Readonly<Record<KeyMode, string>>;
  readonly matches: readonly WrittenMatch[];
  readonly now: number;
}

const isTroubled = (at: number, now: number): boolean =>
  Math.abs(now - TROUBLE.from + TROUBLE.ms / 2 - at) < TROUBLE.ms / 2;

/** In the order in which they came. */
export function planRequests(
  { tenant, keys, matches, now }: RequestPlan,
  randomness: Randomness,
  chance: Chance,
): readonly RequestRow[] {
  let latest = 0;
  const makeId = makeIdsAt(() => latest, randomness);
  const row = (
    at: number,
    mode: KeyMode,
    method: string,
    route: string,
    more: Partial<RequestRow> = {},
  ): RequestRow => {
    latest = at;
    const isTrouble = isTroubled(at, now);
    const fails = isTrouble && chance.fraction() < 0.4;
    return {
      id: makeId('req'),
      tenant,
      mode,
      at,
      method,
      route,
      keyId: keys[mode],
      session: null,
      status: method === 'POST' ? 201 : 200,
      code: null,
      tookMs: Math.ceil(chance.duration(isTrouble ? 900 : method === 'POST' ? 9 : 4)),
      ...more,
      ...(fails ? { status: 503, code: 'unavailable' } : null),
    };
  };
  const ofMatches = matches.flatMap(({ at, mode, game, session, people, endedAt }) => [
    row(at, mode, 'POST', 'createSession', { session, made: { mode, game } }),
    ...people.map((_, n) => row(at + 40 + 15 * n, mode, 'POST', 'makeSessionToken', { session })),
    ...(endedAt === null ? [] : [row(endedAt + 900, mode, 'GET', 'getReplay', { session })]),
  ]);
  const looks: RequestRow[] = [];
  for (let at = now - DAYS * DAY_MS; at < now; at += MINUTE_MS) {
    // A backend repeats what failed.
    const rate = isTroubled(at, now) ? 1 : LOOKS_A_MINUTE * bustleAt(at);
    if (chance.fraction() > rate) continue;
    const [method, route] = chance.pick(LOOKS);
    const when = at + chance.integer(MINUTE_MS);
    if (when < now) looks.push(row(when, 'live', method, route, mishap(chance)));
  }
  return [...ofMatches, ...looks].filter(({ at }) => at < now).toSorted((a, b) => a.at - b.at);
}

/** Sometimes an id is wrong, or too many requests are sent at once. */
function mishap(chance: Chance): Partial<RequestRow> {
  const draw = chance.fraction();
  if (draw < 0.03) return { status: 404, code: 'player_not_found' };
  if (draw < 0.04) return { status: 400, code: 'invalid_field' };
  return draw < 0.043 ? { status: 429, code: 'rate_limited' } : {};
}
