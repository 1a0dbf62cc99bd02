/** The heads of the audit's chains as metrics: a scraper that stores them has an anchor (rule D8). */

import type { AuditHead, AuditKeyStore } from '../../store/audit-keys.ts';
import { makeTaker, type Taker } from '../measures/census.ts';
import type { Clock } from '../ports.ts';
import { gaugeOf } from './audit-check.ts';

export interface AuditFigures {
  /** Of the installation's chain. */
  readonly installationRows: number;
  /** Of all tenants' chains together: it falls when one is cut off, or its tenant is removed. */
  readonly tenantRows: number;
  /** The first 48 bits of the hash of the installation's newest row; null without one. */
  readonly installationHash: number | null;
}

export function makeAuditFigures(
  store: Pick<AuditKeyStore, 'auditHeads'>,
  clock: Clock,
): Taker<AuditFigures> {
  return makeTaker(async () => sum(await store.auditHeads()), clock);
}

function sum(heads: readonly AuditHead[]): AuditFigures {
  const installation = heads.find(({ tenant }) => tenant === '');
  const tenants = heads.filter(({ tenant }) => tenant !== '');
  return {
    installationRows: installation?.n ?? 0,
    tenantRows: tenants.reduce((rows, { n }) => rows + n, 0),
    installationHash: installation === undefined ? null : gaugeOf(installation.hash),
  };
}
