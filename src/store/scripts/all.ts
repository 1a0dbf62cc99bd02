/** Every script by its name, as the writer's thread is asked for it. */

import { AUDIT_KEY_SCRIPTS } from './audit-keys.ts';
import { BOT_SCRIPTS } from './bots.ts';
import { KEY_WATCH_SCRIPTS } from './key-watch.ts';
import type { Script } from './script.ts';
import { SERVICE_SCRIPTS } from './service.ts';
import { TENANCY_SCRIPTS } from './tenancy.ts';
import { TENANT_REMOVAL_SCRIPTS } from './tenant-removal.ts';

const ALL: readonly Script<never, unknown>[] = [
  ...AUDIT_KEY_SCRIPTS,
  ...BOT_SCRIPTS,
  ...KEY_WATCH_SCRIPTS,
  ...SERVICE_SCRIPTS,
  ...TENANCY_SCRIPTS,
  ...TENANT_REMOVAL_SCRIPTS,
];

const BY_NAME = new Map(ALL.map((script) => [script.name, script]));

export function scriptNamed(name: string): Script<unknown, unknown> {
  const script = BY_NAME.get(name);
  if (script === undefined) throw new Error(`there is no script ${name}`);
  return script as Script<unknown, unknown>;
}
