/** All store ports of all areas, as one type. */

import type { AccountStore } from './accounts.ts';
import type { AuditKeyStore } from './audit-keys.ts';
import type { BotStore } from './bots.ts';
import type { CensusStore } from './census.ts';
import type { EventStore } from './events.ts';
import type { IntegrityStore } from './integrity.ts';
import type { JournalStore } from './journal.ts';
import type { KeyWatchStore } from './key-watch.ts';
import type { QueueStore } from './queue.ts';
import type { RatingStore } from './ratings.ts';
import type { SecretStore } from './secrets.ts';
import type { CoreStore } from './store.ts';
import type { TenantMetricStore } from './tenant-metrics.ts';
import type { TenantRemovalStore } from './tenant-removal.ts';
import type { PresenceStore, TicketStore } from './tickets.ts';
import type { WebhookStore } from './webhooks.ts';

export type Store = CoreStore &
  EventStore &
  WebhookStore &
  IntegrityStore &
  BotStore &
  TicketStore &
  PresenceStore &
  QueueStore &
  AccountStore &
  JournalStore &
  AuditKeyStore &
  KeyWatchStore &
  SecretStore &
  RatingStore &
  CensusStore &
  TenantMetricStore &
  TenantRemovalStore;
