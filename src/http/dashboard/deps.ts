/** What the dashboard needs from the rest of the service, besides what the API needs. */

import type { Games } from '../../games/games.ts';
import type { KeyService } from '../../runtime/access/key-service.ts';
import type { AccountService } from '../../runtime/accounts/account-service.ts';
import type { Audit } from '../../runtime/audit/open-audit.ts';
import type { LeasedWindows } from '../../runtime/limits/leased-windows.ts';
import type { JournalStore } from '../../store/journal.ts';
import type { KeyWatchStore } from '../../store/key-watch.ts';
import type { SessionStore, TenancyStore } from '../../store/store.ts';
import type { HttpDeps } from '../request/deps.ts';

export interface DashboardDeps {
  readonly games: Games;
  readonly accounts: AccountService;
  readonly keys: KeyService;
  readonly journal: JournalStore;
  readonly audit: Pick<Audit, 'verify' | 'anchorOf' | 'checkAnchor'>;
  readonly keyAlerts: Pick<KeyWatchStore, 'listKeyAlerts' | 'acknowledgeKeyAlert'>;
  readonly tenancy: Pick<
    TenancyStore,
    'findTenant' | 'listTenants' | 'createTenant' | 'updateTenant' | 'tenancyRevision'
  >;
  readonly sessions: Pick<SessionStore, 'loadLogPart'>;
  /** Requests of the dashboard, by account. */
  readonly windows: Pick<LeasedWindows, 'take'>;
  /** This process, among the nodes. */
  readonly node: string;
}

/** The dashboard offers routes of the API too, so whoever serves it has both. */
export interface SiteDeps extends HttpDeps {
  readonly dashboard: DashboardDeps;
}
