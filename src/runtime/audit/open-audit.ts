/** Opens the audit at startup: its keys are in use, and every chain is keyed. */

import type { KeyChoice } from '../../accounts/audit-chain.ts';
import { deriveAuditKeys } from '../../accounts/audit-key.ts';
import type { Log } from '../../log.ts';
import type { AuditKeyStore } from '../../store/audit-keys.ts';
import type { JournalStore } from '../../store/journal.ts';
import type { Clock } from '../ports.ts';
import type { SignatureCheck, Signer } from '../signing/signer.ts';
import { type AuditAnchor, checkAnchor, makeAnchor } from './audit-anchor.ts';
import { makeAuditCheck, type Verified, type VerifyAudit } from './audit-check.ts';

export interface AuditDeps {
  readonly store: AuditKeyStore & Pick<JournalStore, 'readAudit'>;
  /** The first key is the one to write with; at least one. */
  readonly sealingKeys: readonly Uint8Array[];
  /** `any` when other nodes may have other keys, or the same in another order. */
  readonly choice: KeyChoice;
  readonly signer: Pick<Signer, 'sign' | 'check'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'info'>;
}

export interface Audit {
  readonly verify: VerifyAudit;
  /** The head of a verified chain; null for an empty or faulty one. */
  anchorOf(tenant: string, verified: Verified): AuditAnchor | null;
  /** Of the chains of these tenants that have rows. */
  anchorsOf(tenants: ReadonlySet<string>): Promise<readonly AuditAnchor[]>;
  checkAnchor(anchor: AuditAnchor): SignatureCheck;
  /** Keys the chains, unless a node of an older version still prevents it. */
  maintain(): Promise<void>;
}

export async function openAudit(deps: AuditDeps): Promise<Audit> {
  const { store, sealingKeys, choice, signer, clock, log } = deps;
  const keys = deriveAuditKeys(sealingKeys);
  await store.useAuditKeys(keys);
  let isKeyed = false;
  const maintain = async (): Promise<void> => {
    if (isKeyed) return;
    const keyed = await store.keyChains(clock.now(), choice);
    if (keyed === 'later') return;
    isKeyed = true;
    // Expected once after an update, or when older sealing keys are gone. At any other time rows were replaced.
    if (keyed.length > 0) {
      log.info({ chains: keyed.length }, 'audit: new rows are signed with a key from now on');
    }
  };
  await maintain();
  return {
    maintain,
    verify: makeAuditCheck({ journal: store, keys, isKeyed: () => isKeyed }),
    anchorOf: (tenant, { rows: n, hash }) =>
      hash === null || n === 0 ? null : makeAnchor(signer, { tenant, n, hash }, clock.now()),
    anchorsOf: async (tenants) =>
      (await store.auditHeads())
        .filter(({ tenant }) => tenants.has(tenant))
        .map((head) => makeAnchor(signer, head, clock.now())),
    checkAnchor: (anchor) => checkAnchor(signer, anchor),
  };
}
