/** The player's settings on this device, by name: stored for all later pages. */

import { readStored, store } from './device-storage.ts';

export type SettingName =
  | 'autoRoll'
  | 'ballPaths'
  | 'vibrate'
  | 'netFigures'
  | 'hitBoxes'
  | 'frameData'
  | 'inputs';

export interface Settings {
  isOn(name: SettingName): boolean;
  set(name: SettingName, isOn: boolean): void;
  /** Calls the listener on each change until the page is left. */
  onChange(listener: () => void): void;
}

const PREFIX = 'matchd.';
/** On by default. */
const ON = new Set<SettingName>(['vibrate']);

/** `alsoOn`: additional settings that the host turns on until the player chooses. */
export function makeSettings(alsoOn: readonly SettingName[] = []): Settings {
  const chosen = new Map<SettingName, boolean>();
  const listeners: (() => void)[] = [];
  return {
    isOn: (name) => chosen.get(name) ?? readChoice(name) ?? (ON.has(name) || alsoOn.includes(name)),
    set(name, isOn) {
      chosen.set(name, isOn);
      store(PREFIX + name, String(isOn));
      for (const listener of listeners) listener();
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

function readChoice(name: SettingName): boolean | null {
  const stored = readStored(PREFIX + name);
  return stored === null ? null : stored === 'true';
}
