/** Every script by name, as the writer's thread receives it. */

import { ACCOUNT_SCRIPTS } from './accounts/accounts.ts';
import { BOT_SCRIPTS } from './bots.ts';
import { CLUSTER_SCRIPTS } from './cluster/cluster.ts';
import { PRESENCE_SCRIPTS } from './cluster/presence.ts';
import { SECRET_SCRIPTS } from './cluster/secrets.ts';
import { SERVICE_SCRIPTS } from './cluster/service.ts';
import { ERASING_SCRIPTS } from './erasures.ts';
import { INTEGRITY_SCRIPTS } from './integrity.ts';
import { AUDIT_KEY_SCRIPTS } from './journal/audit-keys.ts';
import { JOURNAL_SCRIPTS } from './journal/journal.ts';
import { KEY_WATCH_SCRIPTS } from './journal/key-watch.ts';
import { TENANT_METRIC_SCRIPTS } from './journal/tenant-metrics.ts';
import { COMMIT } from './sessions/commits.ts';
import { CREATE_SESSION } from './sessions/creates.ts';
import { PLAYER_SCRIPTS } from './sessions/players.ts';
import { REMATCH_SCRIPTS } from './sessions/rematches.ts';
import { SESSION_SWEEP_SCRIPTS } from './sessions/session-sweeps.ts';
import { SLEEP_SCRIPTS } from './sessions/sleeping.ts';
import { ANSWER_SCRIPTS } from './shared/answers.ts';
import { FORGET_LATE_ANSWERS } from './shared/forgotten-answers.ts';
import type { Script } from './shared/script.ts';
import { SETTINGS_SCRIPTS } from './shared/settings.ts';
import { LIMIT_SCRIPTS } from './tenants/limits.ts';
import { TENANCY_SCRIPTS } from './tenants/tenancy.ts';
import { TENANT_REMOVAL_SCRIPTS } from './tenants/tenant-removal.ts';
import { TICKET_SCRIPTS } from './tickets/tickets.ts';
import { EVENT_SCRIPTS } from './webhooks/events.ts';
import { WEBHOOK_CLAIM_SCRIPTS } from './webhooks/webhook-claims.ts';
import { WEBHOOK_SCRIPTS } from './webhooks/webhooks.ts';

/** The type of each script's input is checked where it is called. */
const ALL = [
  ...ACCOUNT_SCRIPTS,
  ...ANSWER_SCRIPTS,
  ...AUDIT_KEY_SCRIPTS,
  ...BOT_SCRIPTS,
  ...CLUSTER_SCRIPTS,
  ...EVENT_SCRIPTS,
  COMMIT,
  CREATE_SESSION,
  ...ERASING_SCRIPTS,
  FORGET_LATE_ANSWERS,
  ...INTEGRITY_SCRIPTS,
  ...JOURNAL_SCRIPTS,
  ...KEY_WATCH_SCRIPTS,
  ...LIMIT_SCRIPTS,
  ...PLAYER_SCRIPTS,
  ...PRESENCE_SCRIPTS,
  ...REMATCH_SCRIPTS,
  ...SECRET_SCRIPTS,
  ...SERVICE_SCRIPTS,
  ...SESSION_SWEEP_SCRIPTS,
  ...SETTINGS_SCRIPTS,
  ...SLEEP_SCRIPTS,
  ...TENANCY_SCRIPTS,
  ...TENANT_METRIC_SCRIPTS,
  ...TENANT_REMOVAL_SCRIPTS,
  ...TICKET_SCRIPTS,
  ...WEBHOOK_CLAIM_SCRIPTS,
  ...WEBHOOK_SCRIPTS,
] as unknown as readonly Script<unknown, unknown>[];

const BY_NAME = new Map(ALL.map((script) => [script.name, script]));

export function scriptNamed(name: string): Script<unknown, unknown> {
  const script = BY_NAME.get(name);
  if (script === undefined) throw new Error(`there is no script ${name}`);
  return script;
}
