/** Watches the use of keys and raises alerts for unusual use (rule K6): collected here, judged every few seconds. */

import { makeDay } from '../../match/frames/frames.ts';
import type { KeyWatchStore, NotedKeyUse } from '../../store/key-watch.ts';
import { networkOf } from '../../tenancy/address.ts';
import {
  findKeyAlerts,
  KEY_ALERT_KINDS,
  type KeyAlert,
  type KeyAlertKind,
  NETWORKS_MAX,
} from '../../tenancy/key-alert.ts';
import type { ApiKey } from '../../tenancy/tenant.ts';
import type { MakeId } from '../ids.ts';
import type { Clock } from '../ports.ts';
import type { ActiveKey } from './key-ring.ts';
import type { Tokens } from './tokens.ts';

/** How often the collected use is judged, in milliseconds. */
export const KEY_WATCH_MS = 10_000;
/** Addresses of one key that are considered between two rounds. */
const ADDRESSES_MAX = 20;
/** Cached networks and alerts of today, for all keys. Further ones are read again. */
const TOLD_MAX = 50_000;
const DAY_MS = 86_400_000;
/** Hours are read for 7 days. */
const HOURS_KEPT_MS = 8 * DAY_MS;
/** Last-seen networks, and alerts, are kept this long. */
const REST_KEPT_MS = 90 * DAY_MS;

export interface KeyWatch {
  /** Notes a request with an API key. `address` is the client's; it is not stored. */
  note(used: Pick<ActiveKey, 'key' | 'secret'>, address: string, isRefused: boolean): void;
  /** To be called every `KEY_WATCH_MS`. Rejects when the store fails; the next round repeats it. */
  look(): Promise<void>;
  /** Removes expired rows. Returns how many. */
  sweep(): Promise<number>;
  /** Alerts that this process has raised, by kind. */
  tally(): readonly { readonly kind: KeyAlertKind; readonly count: number }[];
}

export interface KeyWatchDeps {
  readonly store: Pick<KeyWatchStore, 'noteKeyUses' | 'raiseKeyAlert' | 'removeKeyWatch'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly makeId: MakeId;
  readonly tokens: Pick<Tokens, 'networkMark'>;
}

/** Use of a key since the last round. */
interface Seen {
  readonly key: ApiKey;
  requests: number;
  refused: number;
  readonly addresses: Set<string>;
  /** The earliest end of a used secret; null: none ends. */
  secretExpiresAt: number | null;
}

export function makeKeyWatch({ store, clock, makeId, tokens }: KeyWatchDeps): KeyWatch {
  const gathered = makeGatherer();
  /** Today's stored marks, so that each is written once a day. */
  const told = makeDaySet();
  /** Alerts raised today. */
  const raised = makeDaySet();
  const counts = new Map(KEY_ALERT_KINDS.map((kind) => [kind, 0]));

  const marksOf = ({ key, addresses }: Seen, known: ReadonlySet<string>): string[] => {
    const networks = new Set([...addresses].map(networkOf).filter((each) => each !== null));
    return [...networks]
      .map((network) => tokens.networkMark(key.id, network))
      .filter((mark) => !known.has(mark));
  };
  const raise = async ({ key }: Seen, at: number, { kind, details }: KeyAlert): Promise<void> => {
    const day = makeDay(at);
    const names = raised.of(day);
    const name = `${key.id} ${kind}`;
    if (names.has(name)) return;
    const { tenant, mode } = key;
    const id = makeId('evt');
    const data = JSON.stringify({ keyId: key.id, kind, details });
    const isNew = await store.raiseKeyAlert(
      { id, tenant, mode, key: key.id, kind, day, at, details: JSON.stringify(details) },
      { id, tenant, mode, type: 'key.alert', session: null, at, data },
    );
    names.add(name);
    if (isNew) counts.set(kind, counts.get(kind)! + 1);
  };
  return {
    note: gathered.note,
    async look() {
      const taken = gathered.take();
      if (taken.length === 0) return;
      const at = clock.now();
      const known = told.of(makeDay(at));
      const uses = taken.map((each) => toUse(each, marksOf(each, known)));
      const facts = await store.noteKeyUses(uses, at, NETWORKS_MAX).catch((error: unknown) => {
        gathered.giveBack(taken);
        throw error;
      });
      for (const { networks } of uses) for (const mark of networks) known.add(mark);
      for (const [i, each] of taken.entries()) {
        const { lastUsedAt } = each.key;
        const use = { key: each.key.id, at, lastUsedAt, secretExpiresAt: each.secretExpiresAt };
        for (const alert of findKeyAlerts(use, facts[i]!)) await raise(each, at, alert);
      }
    },
    sweep() {
      const now = clock.now();
      return store.removeKeyWatch({ hours: now - HOURS_KEPT_MS, rest: now - REST_KEPT_MS });
    },
    tally: () => Array.from(counts, ([kind, count]) => ({ kind, count })),
  };
}

/** Use of each key since it was last taken. */
function makeGatherer() {
  let seen = new Map<string, Seen>();
  return {
    note({ key, secret }: Pick<ActiveKey, 'key' | 'secret'>, address: string, isRefused: boolean) {
      let one = seen.get(key.id);
      if (one === undefined) {
        one = { key, requests: 0, refused: 0, addresses: new Set(), secretExpiresAt: null };
        seen.set(key.id, one);
      }
      one.requests += 1;
      if (isRefused) one.refused += 1;
      if (one.addresses.size < ADDRESSES_MAX) one.addresses.add(address);
      if (secret.expiresAt !== null) one.secretExpiresAt = secret.expiresAt;
    },
    take(): readonly Seen[] {
      const taken = [...seen.values()];
      seen = new Map();
      return taken;
    },
    /** What could not be written. */
    giveBack(taken: readonly Seen[]): void {
      for (const each of taken) seen.set(each.key.id, together(each, seen.get(each.key.id)));
    },
  };
}

/** Texts that are valid for one day; bounded. */
function makeDaySet() {
  let current = '';
  const texts = new Set<string>();
  return {
    of(day: string): Set<string> {
      if (day !== current || texts.size > TOLD_MAX) texts.clear();
      current = day;
      return texts;
    },
  };
}

function toUse({ key, requests, refused }: Seen, networks: readonly string[]): NotedKeyUse {
  return { tenant: key.tenant, key: key.id, requests, refused, networks };
}

/** What could not be written, merged with later use. */
function together(before: Seen, since: Seen | undefined): Seen {
  if (since === undefined) return before;
  return {
    key: before.key,
    requests: before.requests + since.requests,
    refused: before.refused + since.refused,
    addresses: new Set([...before.addresses, ...since.addresses]),
    secretExpiresAt: since.secretExpiresAt ?? before.secretExpiresAt,
  };
}
