/** Every script by its name, as the writer's thread is asked for it. */

import { BOT_SCRIPTS } from './bots.ts';
import { INTEGRITY_SCRIPTS } from './integrity.ts';
import { KEY_WATCH_SCRIPTS } from './key-watch.ts';
import type { Script } from './script.ts';
import { WEBHOOK_SCRIPTS } from './webhooks.ts';

const ALL: readonly Script<never, unknown>[] = [
  ...BOT_SCRIPTS,
  ...INTEGRITY_SCRIPTS,
  ...KEY_WATCH_SCRIPTS,
  ...WEBHOOK_SCRIPTS,
];

const BY_NAME = new Map(ALL.map((script) => [script.name, script]));

export function scriptNamed(name: string): Script<unknown, unknown> {
  const script = BY_NAME.get(name);
  if (script === undefined) throw new Error(`there is no script ${name}`);
  return script as Script<unknown, unknown>;
}
