/** `matchd tenants delete`: exports all that is kept of a tenant, and removes it, beside a service that runs or not. */

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { INSTALLATION } from '../runtime/accounts/logins.ts';
import { exportTenant, openSessionsOf, removeTenantRows } from '../runtime/tenant-removal.ts';
import { FILE_MODE, flushFile } from '../runtime/whole-file.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { type Answer, failed, isRefusal, type Refusal, wrongUsage } from './answer.ts';
import type { Progress } from './progress.ts';
import { findTenant, makeAudit, type Workshop } from './workshop.ts';

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
/** What was under way when they ended, as lines of the request log, is written by then. Ms. */
const SETTLE_MS = 3_000;
const LOOK_MS = 500;

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
    return wrongUsage('What is deleted is gone for good: give --export FILE, or --yes without one');
  }
  if (file !== undefined && existsSync(file)) {
    return failed(`${file} is there already: nothing is written over`);
  }
  const tenant = await findTenant(store, name);
  if (isRefusal(tenant)) return tenant;
  // What is wrong with the file is said before anything has changed.
  const part = file === undefined ? null : openPart(file);
  try {
    const began = clock.now();
    await store.beginRemoval(
      tenant.id,
      began,
      makeAudit(tenant.id, 'tenant.removed', tenant.id, began),
    );
    say(`${tenant.slug} acts no more; waiting for its sessions to end`);
    const waiting = await untilQuiet(workshop, tenant.id);
    if (waiting !== null) return waiting;
    const exported = part === null ? null : await writeExport(workshop, tenant, part, say);
    say('removing');
    const rows = await removeTenantRows(store, tenant.id);
    const head = `${tenant.id} ${tenant.slug}`;
    await store.finishRemoval(
      tenant.id,
      makeAudit(INSTALLATION, 'tenant.removed', head, clock.now()),
    );
    return report(tenant, file ?? null, exported, rows);
  } finally {
    part?.giveUp();
  }
}

/** Null once no session of the tenant is open, or nobody serves who could end them. */
async function untilQuiet({ store, clock }: Workshop, tenant: string): Promise<Refusal | null> {
  const sleep = (ms: number) =>
    new Promise<null>((resolve) => clock.after(ms, () => resolve(null)));
  const until = clock.now() + END_MS_MAX;
  while (clock.now() < until) {
    const nodes = await store.listNodes();
    const isServed = nodes.some(({ aliveAt }) => Math.abs(clock.now() - aliveAt) < ALIVE_MS);
    if (!isServed) return null;
    if ((await openSessionsOf(store, tenant, 1)).length === 0) return await sleep(SETTLE_MS);
    await sleep(LOOK_MS);
  }
  return failed(
    'Its sessions did not end: nothing was exported or removed. It is suspended; run this again, ' +
      'or give it back with "matchd tenants update --activate"',
  );
}

interface PartFile {
  write(line: string): void;
  /** It is whole, on the disk, and has its name. */
  finish(): void;
  /** Removes what is not finished. */
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
  const counts = await exportTenant(store, tenant.id, part.write);
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
    `${tenant.id} (${tenant.slug}) is gone: ${rows} rows.`,
    file === null ? 'Nothing was exported.' : `${file} has all that was kept of it.`,
    'Backups made before still have it; they go as you let them expire.',
  ];
  return { json: { tenant: tenant.id, file, exported, removed: rows }, text: lines.join('\n') };
}
