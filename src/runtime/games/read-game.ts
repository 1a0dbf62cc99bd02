/** Reads and validates what a game's modules export. */

import type { AnyBot } from '../../../game/src/bot.ts';
import { declarationFaults } from '../../../game/src/declaration.ts';
import type { AnyGame } from '../../../game/src/game.ts';
import type { AnyModule } from './module-files.ts';

/** Texts of a game for people, by language and name. */
export type Strings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Members of a game that are not functions, and their types. */
const VALUES: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: (value) => typeof value === 'string',
  rulesVersion: (value) => typeof value === 'number',
  seats: isRange,
  variantSeats: (value) => isRecord(value) && Object.values(value).every(isRange),
  variants: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  options: (value) => isRecord(value) && Object.values(value).every(isOption),
  turnTimeoutMs: (value) => typeof value === 'number',
  drawOffers: (value) => typeof value === 'boolean',
  openInformation: (value) => typeof value === 'boolean',
  ticks: isRecord,
};

/** The game that a module exports, or its fault. */
export function readGame(module: AnyModule): AnyGame | string {
  const { game } = module;
  if (game === undefined) return noExport(module, 'game');
  if (!isRecord(game)) return 'game has to be a plain object';
  const wrong = Object.entries(game).flatMap(([name, value]) => {
    const isGood = VALUES[name] ?? ((it: unknown) => typeof it === 'function');
    return value === undefined || isGood(value) ? [] : [`${name} is not what it has to be`];
  });
  const faults = wrong.length > 0 ? wrong : declarationFaults(game as unknown as AnyGame);
  return faults.length === 0
    ? (game as unknown as AnyGame)
    : `wrong declaration: ${faults.join('; ')}`;
}

/** The bot that a module exports, or its fault. */
export function readBot(module: AnyModule): AnyBot | string {
  const { bot } = module;
  if (bot === undefined) return noExport(module, 'bot');
  const isBot = typeof bot === 'object' && bot !== null && 'makeMind' in bot;
  return isBot && typeof bot.makeMind === 'function'
    ? (bot as AnyBot)
    : 'bot has to be an object with a function makeMind';
}

/** The texts of a `strings.json`, or their fault. */
export function readStrings(json: string): Strings | string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return `no JSON: ${(error as Error).message}`;
  }
  const isText = (each: unknown): boolean => typeof each === 'string';
  const isTexts = (each: unknown): boolean => isRecord(each) && Object.values(each).every(isText);
  const isSound = isRecord(value) && Object.values(value).every(isTexts);
  return isSound ? (value as Strings) : 'it has to be texts by language: { "en": { "name": "…" } }';
}

function noExport(module: AnyModule, name: string): string {
  const missing = `there is no "export const ${name}"`;
  const other = module['default'];
  // Bun gives a module without exports an empty default.
  const isThere = isRecord(other) && Object.keys(other).length > 0;
  return isThere ? `${missing}, only a default export` : missing;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isRange(value: unknown): boolean {
  return isRecord(value) && typeof value['min'] === 'number' && typeof value['max'] === 'number';
}

function isOption(value: unknown): boolean {
  return isRecord(value) && (value['kind'] !== 'choice' || Array.isArray(value['values']));
}
