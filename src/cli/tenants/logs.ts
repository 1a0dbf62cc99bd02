/**
 * `matchd logs`: the requests of a tenant's keys, of the last 7 days, as stored or as they arrive.
 */

import { makeTimeDigits } from '../../match/id-text.ts';
import { idTime } from '../../runtime/ids.ts';
import type { JournalStore, RequestRow } from '../../store/journal.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import { findTenant, type Workshop } from '../store/workshop.ts';
import { type Answer, failed, isRefusal, type Refusal, wrongUsage } from '../terminal/answer.ts';
import { forOutput, paint } from '../terminal/paint.ts';
import { untilStopped } from '../terminal/stop-signal.ts';
import { printFields, printTable } from '../terminal/text-table.ts';

export interface LogsOptions {
  readonly tenant: string;
  readonly mode?: string;
  /** `429`, `4xx`, `errors`. */
  readonly status?: string;
  /** A key's id. */
  readonly key?: string;
  /** A session's id. */
  readonly session?: string;
  /** A request's id: that one alone. */
  readonly request?: string;
  readonly limit: string;
  readonly follow?: boolean;
  readonly json?: boolean;
}

interface Wish {
  readonly tenant: string;
  readonly modes: readonly KeyMode[];
  readonly limit: number;
  readonly fits: (row: RequestRow) => boolean;
}

const MODES: readonly KeyMode[] = ['live', 'test'];
const LIMIT_MAX = 1_000;
/** Rows read at once, and rows looked at for those that fit. */
const PAGE = 1_000;
const LOOKED_AT_MAX = 100_000;
/** The journal is written once a second. */
const FOLLOW_MS = 1_000;
/**
 * A request has its id from its start and is written at its end: slower ones appear behind the
 * newest id. A request is still found this long after one that began later, within this many rows.
 */
const LATE_MS_MAX = 60_000;
const LATE_ROWS_MAX = 10_000;

/** Null when it followed and was told to stop. */
export async function showLogs(workshop: Workshop, options: LogsOptions): Promise<Answer | null> {
  const wish = await readWish(workshop, options);
  if (isRefusal(wish)) return wish;
  if (options.request !== undefined) return showRequest(workshop, wish, options.request);
  if (options.follow !== true) {
    const rows = await readRows(workshop, wish);
    return {
      json: { data: rows.map(rowJson) },
      text: printTable(
        ['TIME', 'MODE', 'STATUS', 'MS', 'CALL', 'CODE', 'KEY', 'SESSION', 'REQUEST'],
        rows.map(rowTexts),
        'No requests.',
      ),
    };
  }
  await follow(workshop, wish, options.json ?? false);
  return null;
}

/** What an error's `X-Request-Id` leads to. */
async function showRequest(
  { store }: Workshop,
  { tenant, modes, fits }: Wish,
  id: string,
): Promise<Answer> {
  const found = await Promise.all(modes.map((mode) => store.findRequest(tenant, mode, id)));
  const row = found.find((each) => each !== null && fits(each));
  if (row == null) {
    return failed(`Request ${JSON.stringify(id)} not found in the last 7 days`);
  }
  const { at, mode, status, tookMs, method, route, code, keyId, session, refusal = null } = row;
  return {
    json: rowJson(row),
    text: printFields([
      ['request', row.id],
      ['time', new Date(at).toISOString()],
      ['call', `${method} ${route}`],
      ['status', `${status}`],
      ['code', code ?? 'none'],
      ...(refusal === null ? [] : [['not let in', refusal] as const]),
      ['took', `${tookMs} ms`],
      ['mode', mode],
      ['key', keyId],
      ['session', session ?? 'none'],
    ]),
  };
}

async function readWish(workshop: Workshop, options: LogsOptions): Promise<Wish | Refusal> {
  const { mode, status, key, session, request, follow: follows = false } = options;
  if (request !== undefined && follows)
    return wrongUsage('--request and --follow exclude each other');
  const modes = mode === undefined ? MODES : MODES.filter((each) => each === mode);
  if (modes.length === 0) return wrongUsage('--mode: expected live or test');
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    return wrongUsage(`--limit: expected 1 to ${LIMIT_MAX}`);
  }
  const hasStatus = status === undefined ? () => true : parseStatus(status);
  if (hasStatus === null) {
    return wrongUsage('--status: expected a status (429), a class (4xx), or errors');
  }
  const tenant = await findTenant(workshop.store, options.tenant);
  if (isRefusal(tenant)) return tenant;
  const fits = (row: RequestRow): boolean =>
    hasStatus(row.status) &&
    (key === undefined || row.keyId === key) &&
    (session === undefined || row.session === session);
  return { tenant: tenant.id, modes, limit, fits };
}

function parseStatus(text: string): ((status: number) => boolean) | null {
  if (text === 'errors') return (status) => status >= 400;
  if (/^[1-5]xx$/.test(text)) return (status) => `${status}`[0] === text[0];
  return /^[1-5]\d\d$/.test(text) ? (status) => `${status}` === text : null;
}

/** Those that fit, newest first. */
async function readRows(
  { store }: Workshop,
  { tenant, modes, limit, fits }: Wish,
): Promise<readonly RequestRow[]> {
  const found: RequestRow[] = [];
  for (const mode of modes) {
    let count = 0;
    for await (const page of readPages(store, tenant, mode)) {
      const rows = page.filter(fits);
      found.push(...rows);
      count += rows.length;
      if (count >= limit) break;
    }
  }
  return found.sort(byNewest).slice(0, limit);
}

/** All of a mode, newest first, as far as is looked back. */
async function* readPages(
  store: Pick<JournalStore, 'listRequests'>,
  tenant: string,
  mode: KeyMode,
): AsyncGenerator<readonly RequestRow[]> {
  let before: string | null = null;
  for (let looked = 0; looked < LOOKED_AT_MAX; looked += PAGE) {
    const filter = { tenant, mode, errorsOnly: false, before, limit: PAGE };
    const page: readonly RequestRow[] = await store.listRequests(filter);
    yield page;
    before = page.at(-1)?.id ?? null;
    if (page.length < PAGE) break;
  }
}

function byNewest(a: RequestRow, b: RequestRow): number {
  return a.id < b.id ? 1 : -1;
}

/** What following has come to in one mode. */
interface Followed {
  readonly mode: KeyMode;
  /** The largest id there was; empty before the first. */
  readonly newest: string;
  /** The ids that were looked at last. */
  readonly seen: ReadonlySet<string>;
}

/** From the newest request there is, so that nothing is new yet. */
async function beginToFollow(workshop: Workshop, tenant: string, mode: KeyMode): Promise<Followed> {
  const filter = { tenant, mode, errorsOnly: false, before: null, limit: 1 };
  const newest = (await workshop.store.listRequests(filter))[0]?.id ?? '';
  const rows = await readRecent(workshop, tenant, { mode, newest });
  return { mode, newest, seen: new Set(idsOf(rows)) };
}

/** Newest first: all that are newer than the newest, and those before it that may have come late. */
async function readRecent(
  { store }: Workshop,
  tenant: string,
  { mode, newest }: Pick<Followed, 'mode' | 'newest'>,
): Promise<readonly RequestRow[]> {
  const oldest = newest === '' ? '' : `req_${makeTimeDigits(idTime(newest) - LATE_MS_MAX)}`;
  const found: RequestRow[] = [];
  for await (const page of readPages(store, tenant, mode)) {
    found.push(...page.filter(({ id }) => id > oldest));
    const last = page.at(-1)?.id ?? '';
    if (last <= oldest || (last <= newest && found.length >= LATE_ROWS_MAX)) break;
  }
  return found;
}

/** Prints the stored rows, oldest first, and new ones, until it is told to stop. */
async function follow(workshop: Workshop, wish: Wish, asJson: boolean): Promise<void> {
  const { tenant, modes, fits } = wish;
  let isStopped = false;
  const stopped = untilStopped().then(() => {
    isStopped = true;
  });
  let followed = await Promise.all(modes.map((mode) => beginToFollow(workshop, tenant, mode)));
  // Read after that, so that none slips through between the two, and none is printed by both.
  const first = await readRows(workshop, wish);
  followed = followed.map((each) => ({ ...each, seen: new Set([...each.seen, ...idsOf(first)]) }));
  print(first, asJson);
  while (!isStopped) {
    await Promise.race([
      stopped,
      new Promise((resolve) => workshop.clock.after(FOLLOW_MS, () => resolve(null))),
    ]);
    const fresh: RequestRow[] = [];
    for (const [i, each] of followed.entries()) {
      const rows = await readRecent(workshop, tenant, each);
      fresh.push(...rows.filter((row) => !each.seen.has(row.id) && fits(row)));
      const newest = rows[0]?.id ?? each.newest;
      followed[i] = { ...each, newest, seen: new Set(idsOf(rows)) };
    }
    print(fresh.sort(byNewest), asJson);
  }
}

function idsOf(rows: readonly RequestRow[]): readonly string[] {
  return rows.map(({ id }) => id);
}

function print(newestFirst: readonly RequestRow[], asJson: boolean): void {
  for (const row of [...newestFirst].reverse()) {
    process.stdout.write(
      asJson ? `${JSON.stringify(rowJson(row))}\n` : forOutput(`${rowTexts(row).join('  ')}\n`),
    );
  }
}

function statusText(status: number): string {
  if (status >= 500) return paint('bad', `${status}`);
  return status >= 400 ? paint('warning', `${status}`) : `${status}`;
}

function rowTexts(row: RequestRow): string[] {
  const { at, mode, status, tookMs, method, route, keyId, session, id, refusal = null } = row;
  const code = refusal === null ? row.code : `${row.code} (${refusal})`;
  const time = new Date(at).toISOString();
  return [
    time,
    mode,
    statusText(status),
    `${tookMs}`,
    `${method} ${route}`,
    code ?? '',
    keyId,
    session ?? '',
    id,
  ];
}

function rowJson({ at, keyId, ...row }: RequestRow): object {
  const { tenant: _, ...shown } = row;
  return { ...shown, key: keyId, at: new Date(at).toISOString() };
}
