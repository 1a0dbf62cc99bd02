/** `matchd dev` and `matchd serve`: settings are read and checked here, then the service runs. */

import type { Config, Environment, Flags, SettingName } from '../../config.ts';
import { readConfig, SETTINGS } from '../../config.ts';
import type { Refusal } from '../terminal/answer.ts';
import { wrongUsage } from '../terminal/answer.ts';

/** The options of a service command as they were typed. */
export type ServiceOptions = { readonly [name in 'data' | SettingName]?: string } & {
  readonly json?: boolean;
  readonly adopt?: boolean;
  readonly sampleData?: boolean;
};

/** Settings that are options of `dev`, and those that `serve` has besides. */
export const DEV_SETTINGS: readonly SettingName[] = [
  'port',
  'host',
  'dataDir',
  'games',
  'publicUrl',
  'runtime',
];
export const SERVE_SETTINGS: readonly SettingName[] = [
  ...DEV_SETTINGS,
  'store',
  'allowUnsafeStore',
  'bus',
  'metricsPort',
  'trustedProxies',
];

/** Null when the service ran and has drained. */
export async function dev(env: Environment, options: ServiceOptions): Promise<Refusal | null> {
  const config = configOf(env, options);
  if ('error' in config) return config;
  const { runDev } = await import('./dev.ts');
  const { json = false, sampleData = false } = options;
  await runDev({ config, json, sampleData });
  return null;
}

export async function serve(env: Environment, options: ServiceOptions): Promise<Refusal | null> {
  const config = configOf(env, options);
  if ('error' in config) return config;
  const { publicUrl } = config;
  if (publicUrl === null) {
    const { flag, env: variable, expects } = SETTINGS.publicUrl;
    return wrongUsage(`serve needs ${flag} or ${variable}: ${expects}`);
  }
  const { runServe } = await import('./serve.ts');
  const { adopt = false, json = false } = options;
  await runServe({ config: { ...config, publicUrl }, adopt, json });
  return null;
}

function configOf(env: Environment, options: ServiceOptions): Config | Refusal {
  const reading = readConfig(env, flagsOf(options));
  return reading.ok ? reading.config : wrongUsage(reading.problems.join('\n'));
}

/** Settings as they were typed. */
export function flagsOf(options: ServiceOptions): Flags {
  const flags: Record<string, string> = {};
  for (const name of SERVE_SETTINGS) {
    const text = name === 'dataDir' ? options.data : options[name];
    // One that takes no value says that it is wanted.
    if (text !== undefined) flags[name] = String(text) === 'true' ? '1' : text;
  }
  return flags satisfies Flags;
}
