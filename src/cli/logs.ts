/** `matchd logs`: the requests of a tenant's keys, of the last 7 days, as they are kept or as they come. */

import type { RequestRow } from '../store/journal.ts';
import type { KeyMode } from '../tenancy/tenant.ts';
import { type Answer, isRefusal, type Refusal, wrongUsage } from './answer.ts';
import { untilStopped } from './stop-signal.ts';
import { printTable } from './text-table.ts';
import { findTenant, type Workshop } from './workshop.ts';

export interface LogsOptions {
  readonly tenant: string;
  readonly mode?: string;
  /** `429`, `4xx`, `errors`. */
  readonly status?: string;
  /** A key's id. */
  readonly key?: string;
  /** A session's id. */
  readonly session?: string;
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

/** Null when it followed and was told to stop. */
export async function showLogs(workshop: Workshop, options: LogsOptions): Promise<Answer | null> {
  const wish = await readWish(workshop, options);
  if (isRefusal(wish)) return wish;
  const rows = await readRows(workshop, wish, null);
  if (options.follow !== true) {
    return {
      json: { data: rows.map(rowJson) },
      text: printTable(
        ['TIME', 'MODE', 'STATUS', 'MS', 'CALL', 'CODE', 'KEY', 'SESSION', 'REQUEST'],
        rows.map(rowTexts),
        'No requests.',
      ),
    };
  }
  await follow(workshop, wish, rows, options.json ?? false);
  return null;
}

async function readWish(workshop: Workshop, options: LogsOptions): Promise<Wish | Refusal> {
  const { mode, status, key, session } = options;
  const modes = mode === undefined ? MODES : MODES.filter((each) => each === mode);
  if (modes.length === 0) return wrongUsage('--mode: expected live or test');
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    return wrongUsage(`--limit: expected 1 to ${LIMIT_MAX}`);
  }
  const hasStatus = status === undefined ? () => true : parseStatus(status);
  if (hasStatus === null) {
    return wrongUsage('--status: expected a status (429), a class of them (4xx), or errors');
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

/** Newest first, those that fit; with `after` all that are newer than that id of their mode. */
async function readRows(
  { store }: Workshop,
  { tenant, modes, limit, fits }: Wish,
  after: ReadonlyMap<KeyMode, string> | null,
): Promise<readonly RequestRow[]> {
  const found: RequestRow[] = [];
  for (const mode of modes) {
    const newest = after?.get(mode) ?? '';
    let before: string | null = null;
    let count = 0;
    for (let looked = 0; looked < LOOKED_AT_MAX && count < limit; looked += PAGE) {
      const filter = { tenant, mode, errorsOnly: false, before, limit: PAGE };
      const page: readonly RequestRow[] = await store.listRequests(filter);
      const rows = page.filter((row) => row.id > newest && fits(row));
      found.push(...rows);
      count += rows.length;
      before = page.at(-1)?.id ?? null;
      if (page.length < PAGE || before! <= newest) break;
    }
  }
  return found.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, after === null ? limit : undefined);
}

/** Prints what was there, the oldest first, and what comes, until it is told to stop. */
async function follow(
  workshop: Workshop,
  wish: Wish,
  first: readonly RequestRow[],
  asJson: boolean,
): Promise<void> {
  let isStopped = false;
  const stopped = untilStopped().then(() => {
    isStopped = true;
  });
  const newest = new Map<KeyMode, string>();
  const every: Wish = { ...wish, limit: LIMIT_MAX, fits: () => true };
  for (const row of [...(await readRows(workshop, { ...every, limit: 1 }, null))].reverse()) {
    newest.set(row.mode, row.id);
  }
  print(first, asJson);
  while (!isStopped) {
    await Promise.race([
      stopped,
      new Promise((resolve) => workshop.clock.after(FOLLOW_MS, () => resolve(null))),
    ]);
    const fresh = await readRows(workshop, every, newest);
    for (const row of [...fresh].reverse()) newest.set(row.mode, row.id);
    print(fresh.filter(wish.fits), asJson);
  }
}

function print(newestFirst: readonly RequestRow[], asJson: boolean): void {
  for (const row of [...newestFirst].reverse()) {
    process.stdout.write(
      asJson ? `${JSON.stringify(rowJson(row))}\n` : `${rowTexts(row).join('  ')}\n`,
    );
  }
}

function rowTexts(row: RequestRow): string[] {
  const { at, mode, status, tookMs, method, route, code, keyId, session, id } = row;
  const time = new Date(at).toISOString();
  return [
    time,
    mode,
    `${status}`,
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
