/** `matchd audit`: verifies the audit, and makes anchors to verify it later (rule D8). */

import { readFileSync } from 'node:fs';
import { deriveAuditKeys } from '../../accounts/audit-key.ts';
import { INSTALLATION } from '../../runtime/accounts/logins.ts';
import { makeAnchor, parseAnchors } from '../../runtime/audit/audit-anchor.ts';
import {
  makeAuditCheck,
  parseGauges,
  type SeenHead,
  type Verified,
} from '../../runtime/audit/audit-check.ts';
import { checkAnchors } from '../../runtime/audit/check-anchors.ts';
import { makeSigner } from '../../runtime/signing/signer.ts';
import { findTenant, type Workshop } from '../store/workshop.ts';
import {
  type Answer,
  EXIT_CODES,
  failed,
  isRefusal,
  type Refusal,
  wrongUsage,
} from '../terminal/answer.ts';
import { paint } from '../terminal/paint.ts';
import type { Progress } from '../terminal/progress.ts';
import { printTable } from '../terminal/text-table.ts';

export interface AuditVerifyOptions {
  /** Only this tenant's chain, by id or slug. */
  readonly tenant?: string;
  /** Files of anchors. */
  readonly anchor?: readonly string[];
  /** `<rows>:<hash>` as the metrics of the installation's chain showed them. */
  readonly seen?: readonly string[];
}

interface Seen extends SeenHead {
  readonly tenant: string;
}

/** Of all chains, or a tenant's. Fails when one was changed, or contradicts an anchor. */
export async function verifyAudit(
  workshop: Workshop,
  options: AuditVerifyOptions,
  say: Progress,
): Promise<Answer> {
  const { store, sealingKeys } = workshop;
  const seen = readSeen(sealingKeys, options);
  if (isRefusal(seen)) return seen;
  const { heads, unknownKeys } = seen;
  const only = options.tenant === undefined ? null : await findTenant(store, options.tenant);
  if (only !== null && isRefusal(only)) return only;
  const tenants = only === null ? await tenantsOf(workshop, heads) : [only.id];
  const written = new Map((await store.auditHeads()).map(({ tenant, n }) => [tenant, n]));
  const verify = makeAuditCheck({
    journal: store,
    keys: deriveAuditKeys(sealingKeys),
    isKeyed: () => sealingKeys.length > 0,
    onRows: (tenant, done) => {
      const of = written.get(tenant) ?? null;
      say(`verifying ${tenant || 'installation'}`, { done, of, unit: 'rows' });
    },
  });
  const chains: (Verified & { readonly tenant: string })[] = [];
  for (const tenant of tenants) {
    const anchors = heads.filter((head) => head.tenant === tenant);
    chains.push({ tenant, ...(await verify(tenant, anchors)) });
  }
  const ok = chains.every((chain) => chain.ok);
  const rows = chains.map((chain) => [
    chain.tenant || 'installation',
    String(chain.rows),
    chain.keyedFrom === null ? 'no row' : `row ${chain.keyedFrom}`,
    chain.ok ? describe(chain) : paint('bad', describe(chain)),
  ]);
  const lines = [
    printTable(['CHAIN', 'ROWS', 'KEYED FROM', ''], rows, 'The audit log has no rows.'),
    ...(unknownKeys > 0
      ? [`${unknownKeys} anchors are signed with an unknown key. They were compared anyway.`]
      : []),
  ];
  return {
    json: { ok, chains, unknownKeys },
    text: lines.join('\n'),
    exit: ok ? EXIT_CODES.done : EXIT_CODES.failed,
  };
}

/**
 * Of all chains: to be stored where a database administrator cannot change them. Changes nothing.
 */
export async function anchorAudit({ store, sealingKeys, clock }: Workshop): Promise<Answer> {
  if (sealingKeys.length === 0) return failed('No sealing key to sign with');
  const signer = makeSigner(sealingKeys);
  const now = clock.now();
  const anchors = (await store.auditHeads()).map((head) => makeAnchor(signer, head, now));
  return { json: { anchors }, text: JSON.stringify({ anchors }, null, 2) };
}

/** The fault, for people. */
export function describe({ ok, fault, firstWrong }: Verified): string {
  if (ok) return 'as it was written';
  switch (fault) {
    case 'cut_off':
      return `WRONG: cut off, row ${firstWrong} and later rows are missing`;
    case 'anchor_differs':
      return `WRONG: does not extend the anchor, from row ${firstWrong} on`;
    case 'not_keyed':
      return 'WRONG: no row is keyed (after an update, start the service once)';
    case 'mac_missing':
      return `WRONG: row ${firstWrong} was written without the key`;
    case 'keyed_unannounced':
      return `WRONG: rows before row ${firstWrong} were replaced`;
    default:
      return `WRONG: row ${firstWrong} is not what was written`;
  }
}

async function tenantsOf({ store }: Workshop, seen: readonly Seen[]): Promise<readonly string[]> {
  const heads = await store.auditHeads();
  return [...new Set([...heads, ...seen].map(({ tenant }) => tenant))].sort();
}

function readSeen(
  sealingKeys: readonly Uint8Array[],
  { anchor: files = [], seen: texts = [] }: AuditVerifyOptions,
): { readonly heads: readonly Seen[]; readonly unknownKeys: number } | Refusal {
  const heads: Seen[] = [];
  let unknownKeys = 0;
  for (const file of files) {
    const read = readAnchorFile(file, sealingKeys);
    if (isRefusal(read)) return read;
    heads.push(...read.anchors);
    unknownKeys += read.unknownKeys;
  }
  for (const text of texts) {
    const head = parseGauges(text);
    if (head === null)
      return wrongUsage(`--seen: expected <rows>:<hash>, as the metrics show them`);
    heads.push({ tenant: INSTALLATION, ...head });
  }
  return { heads, unknownKeys };
}

/** A file of anchors whose signatures are valid, as far as their keys are available. */
export function readAnchorFile(file: string, sealingKeys: readonly Uint8Array[]) {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return failed(`${file} cannot be read: ${(error as Error).message}`);
  }
  const anchors = parseAnchors(text);
  if (anchors === null) return failed(`${file} contains no audit anchors`);
  const unknownKeys = checkAnchors(sealingKeys, anchors);
  if (unknownKeys === null) return failed(`${file}: an anchor was changed, its signature is wrong`);
  return { anchors, unknownKeys };
}
