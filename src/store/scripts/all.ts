/** Every script by its name, as the writer's thread is asked for it. */

import { ACCOUNT_SCRIPTS } from './accounts.ts';
import { AUDIT_KEY_SCRIPTS } from './audit-keys.ts';
import { BOT_SCRIPTS } from './bots.ts';
import { JOURNAL_SCRIPTS } from './journal.ts';
import { KEY_WATCH_SCRIPTS } from './key-watch.ts';
import type { Script } from './script.ts';

const ALL: readonly Script<never, unknown>[] = [
  ...ACCOUNT_SCRIPTS,
  ...AUDIT_KEY_SCRIPTS,
  ...BOT_SCRIPTS,
  ...JOURNAL_SCRIPTS,
  ...KEY_WATCH_SCRIPTS,
];

const BY_NAME = new Map(ALL.map((script) => [script.name, script]));

export function scriptNamed(name: string): Script<unknown, unknown> {
  const script = BY_NAME.get(name);
  if (script === undefined) throw new Error(`there is no script ${name}`);
  return script as Script<unknown, unknown>;
}
