/** Every script by name, as the writer's thread receives it. */

import { ACCOUNT_SCRIPTS } from './accounts.ts';
import { ANSWER_SCRIPTS } from './answers.ts';
import { AUDIT_KEY_SCRIPTS } from './audit-keys.ts';
import { BOT_SCRIPTS } from './bots.ts';
import { CLUSTER_SCRIPTS } from './cluster.ts';
import { COMMIT } from './commits.ts';
import { CREATE_SESSION } from './creates.ts';
import { ERASING_SCRIPTS } from './erasures.ts';
import { EVENT_SCRIPTS } from './events.ts';
import { FORGET_LATE_ANSWERS } from './forgotten-answers.ts';
import { INTEGRITY_SCRIPTS } from './integrity.ts';
import { JOURNAL_SCRIPTS } from './journal.ts';
import { KEY_WATCH_SCRIPTS } from './key-watch.ts';
import { LIMIT_SCRIPTS } from './limits.ts';
import { PLAYER_SCRIPTS } from './players.ts';
import { PRESENCE_SCRIPTS } from './presence.ts';
import { REMATCH_SCRIPTS } from './rematches.ts';
import type { Script } from './script.ts';
import { SECRET_SCRIPTS } from './secrets.ts';
import { SERVICE_SCRIPTS } from './service.ts';
import { SESSION_SWEEP_SCRIPTS } from './session-sweeps.ts';
import { SETTINGS_SCRIPTS } from './settings.ts';
import { SLEEP_SCRIPTS } from './sleeping.ts';
import { TENANCY_SCRIPTS } from './tenancy.ts';
import { TENANT_METRIC_SCRIPTS } from './tenant-metrics.ts';
import { TENANT_REMOVAL_SCRIPTS } from './tenant-removal.ts';
import { TICKET_SCRIPTS } from './tickets.ts';
import { WEBHOOK_CLAIM_SCRIPTS } from './webhook-claims.ts';
import { WEBHOOK_SCRIPTS } from './webhooks.ts';

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
