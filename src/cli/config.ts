/** `matchd config`: every setting, its value and where it comes from; secrets stay hidden. */

import type { Config, Environment, Flags, SettingName } from '../config.ts';
import { rawSetting, readConfig, SECRET_SETTINGS, SETTINGS, warningsOf } from '../config.ts';
import { type Answer, EXIT_CODES } from './terminal/answer.ts';
import { printTable } from './terminal/text-table.ts';

interface SettingLine {
  readonly name: SettingName;
  readonly env: string;
  /** Null: only by variable. */
  readonly option: string | null;
  /** As it is used, e.g. a folder's whole path; as it was given when something is wrong. Null: not set. */
  readonly value: string | null;
  readonly from: 'option' | 'variable' | 'default';
  readonly default: string | null;
  readonly meaning: string;
}

const HIDDEN = '(hidden)';

/** Fails when `serve` would refuse these settings. */
export function showConfig(env: Environment, flags: Flags): Answer {
  const reading = readConfig(env, flags);
  const config = reading.ok ? reading.config : null;
  const problems = reading.ok ? [] : reading.problems;
  const warnings = reading.ok ? warningsOf(reading.config) : [];
  const settings = (Object.keys(SETTINGS) as SettingName[]).map((name) =>
    makeLine(env, flags, name, config),
  );
  const rows = settings.map((line) => [
    line.env,
    line.value ?? '(not set)',
    line.from === 'option' ? line.option! : line.from,
    line.default ?? '',
    line.meaning,
  ]);
  const table = printTable(['VARIABLE', 'VALUE', 'FROM', 'DEFAULT', 'MEANING'], rows, '');
  const words = [
    ...problems.map((each) => `wrong: ${each}`),
    ...warnings.map((each) => `warning: ${each}`),
  ];
  return {
    json: { settings, problems, warnings },
    text: [table, ...words].join('\n'),
    exit: problems.length === 0 ? EXIT_CODES.done : EXIT_CODES.failed,
  };
}

function makeLine(
  env: Environment,
  flags: Flags,
  name: SettingName,
  config: Config | null,
): SettingLine {
  const { flag, env: variable, otherwise, meaning } = SETTINGS[name];
  const { text, from } = rawSetting(env, flags, name);
  const value = config === null ? printable(text) : printable(config[name]);
  return {
    name,
    env: variable,
    option: flag,
    value: SECRET_SETTINGS.includes(name) && value !== null ? HIDDEN : value,
    from,
    default: printable(otherwise),
    meaning,
  };
}

function printable(value: Config[SettingName]): string | null {
  const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
  return text === '' ? null : text;
}
