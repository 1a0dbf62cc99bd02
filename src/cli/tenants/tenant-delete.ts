/**
 * `matchd tenants delete`: exports all stored data of a tenant, and removes it, with or without a
 * running service.
 */

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import {
  exportTenant,
  openSessionsOf,
  removeTenantRows,
} from '../../runtime/access/tenant-removal.ts';
import { INSTALLATION } from '../../runtime/accounts/logins.ts';
import { FILE_MODE, flushFile } from '../../runtime/whole-file.ts';
import type { ServeLock } from '../../store/sqlite/file/serve-lock.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { findTenant, makeAudit, type Workshop } from '../store/workshop.ts';
import { type Answer, failed, isRefusal, wrongUsage } from '../terminal/answer.ts';
import type { Progress } from '../terminal/progress.ts';

export interface TenantDeleteOptions {
  /** Where the export goes; a file that is not there yet. */
  readonly export?: string;
  /** Without an export. */
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** What the export's first line says of its form. */
const FORM = 'matchd-tenant-export/1';
/** A process that has given no sign of life for so long does not serve. Ms. */
const ALIVE_MS = 5_000;
/** The service's keys, sockets and matches of the tenant have so long to end. Ms. */
const END_MS_MAX = 120_000;
/** Requests in progress when they ended are in the request log by then. Ms. */
const SETTLE_MS = 3_000;
const POLL_MS = 500;

const STILL_OPEN =
  'Its sessions did not end, and no match was removed. The tenant is suspended: run this again, ' +
  'or reactivate it with "matchd tenants update --activate"';

type Counts = Readonly<Record<string, number>>;

export async function deleteTenant(
  workshop: Workshop,
  name: string,
  options: TenantDeleteOptions,
  say: Progress,
): Promise<Answer> {
  const { store, clock } = workshop;
  const { export: file, yes: isAgreed = false } = options;
  if (file === undefined && !isAgreed) {
    return wrongUsage(
      'Deletion is permanent: use --export FILE, or --yes to delete without an export',
    );
  }
  if (file !== undefined && existsSync(file)) {
    return failed(`${file} already exists and is not overwritten`);
  }
  const tenant = await findTenant(store, name);
  if (isRefusal(tenant)) return tenant;
  // A fault of the file is reported before anything has changed.
  const part = file === undefined ? null : openPart(file);
  const quiet = makeQuiet(workshop, tenant.id);
  try {
    const began = clock.now();
    await store.beginRemoval(
      tenant.id,
      began,
      makeAudit(tenant.id, 'tenant.removed', tenant.id, began),
    );
    say(`${tenant.slug} is suspended; waiting for its sessions to end`);
    if (!(await quiet.wait())) return failed(STILL_OPEN);
    const exported = part === null ? null : await writeExport(workshop, tenant, part, say);
    const untilClosed = async (): Promise<boolean> => {
      // A group may have started, and a node that has started may own sessions: the service ends
      // them.
      while (!quiet.isAlone() && (await store.closeSessions(tenant.id, clock.now())) > 0) {
        if (!(await quiet.wait())) return false;
      }
      return true;
    };
    say('removing');
    const tell = (done: number) => say('removing', { done, of: null, unit: 'rows' });
    const rows = await removeTenantRows(store, tenant.id, untilClosed, tell);
    if (rows === null) return failed(STILL_OPEN);
    const head = `${tenant.id} ${tenant.slug}`;
    await store.finishRemoval(
      tenant.id,
      makeAudit(INSTALLATION, 'tenant.removed', head, clock.now()),
    );
    return report(tenant, file ?? null, exported, rows);
  } finally {
    part?.giveUp();
    quiet.release();
  }
}

interface Quiet {
  /**
   * True once no process writes to the tenant's matches any more; false when its sessions did not
   * end in time.
   */
  wait(): Promise<boolean>;
  /** Is every service kept from starting? */
  isAlone(): boolean;
  /** Lets a service start again on the data folder. */
  release(): void;
}

/**
 * On a data folder without a service, none starts until everything is removed (decision 0030). On a
 * shared database nodes may start at any time: `closeSessions` keeps them from the data being
 * removed.
 */
function makeQuiet({ store, clock, isShared, takeServeLock }: Workshop, tenant: string): Quiet {
  let lock: ServeLock | null = null;
  const sleep = (ms: number) => new Promise<void>((resolve) => clock.after(ms, () => resolve()));
  const isServed = async (): Promise<boolean> =>
    (await store.listNodes()).some(({ aliveAt }) => Math.abs(clock.now() - aliveAt) < ALIVE_MS);
  return {
    async wait() {
      const until = clock.now() + END_MS_MAX;
      while (clock.now() < until) {
        lock ??= takeServeLock();
        if (lock !== null) return true;
        const isOpen = (await openSessionsOf(store, tenant, 1)).length > 0;
        if (!isOpen || (isShared && !(await isServed()))) {
          await sleep(SETTLE_MS);
          return true;
        }
        await sleep(POLL_MS);
      }
      return false;
    },
    isAlone: () => lock !== null,
    release: () => lock?.release(),
  };
}

interface PartFile {
  write(line: string): void;
  /** It is whole, on the disk, and has its name. */
  finish(): void;
  /** Removes an unfinished file. */
  giveUp(): void;
}

function openPart(file: string): PartFile {
  const part = `${file}.part`;
  rmSync(part, { force: true });
  const opened = openSync(part, 'wx', FILE_MODE);
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(opened);
    isOpen = false;
  };
  return {
    write: (line) => void writeSync(opened, `${line}\n`),
    finish() {
      fsyncSync(opened);
      close();
      renameSync(part, file);
      flushFile(file);
    },
    giveUp() {
      close();
      rmSync(part, { force: true });
    },
  };
}

async function writeExport(
  { store, clock }: Workshop,
  tenant: Tenant,
  part: PartFile,
  say: Progress,
): Promise<Counts> {
  say('exporting');
  part.write(JSON.stringify({ form: FORM, at: new Date(clock.now()).toISOString(), tenant }));
  // The people by name: their accounts may go with it.
  const people = await store.listMembers(tenant.id);
  for (const person of people) part.write(JSON.stringify({ table: 'people', row: person }));
  let done = 0;
  const counts = await exportTenant(store, tenant.id, (line) => {
    part.write(line);
    done += 1;
    say('exporting', { done, of: null, unit: 'rows' });
  });
  part.write(JSON.stringify({ end: true, rows: counts }));
  part.finish();
  return counts;
}

function report(
  tenant: Tenant,
  file: string | null,
  exported: Counts | null,
  rows: number,
): Answer {
  const lines = [
    `${tenant.id} (${tenant.slug}) is deleted: ${rows} rows.`,
    file === null ? 'Nothing was exported.' : `${file} has all its data.`,
    'Earlier backups still contain it until they expire.',
  ];
  return { json: { tenant: tenant.id, file, exported, removed: rows }, text: lines.join('\n') };
}
