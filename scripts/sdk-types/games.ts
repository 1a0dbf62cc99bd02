/** The SDK's types of each game's setup options, made of the games themselves. */

import type { AnyGame, OptionSpec } from '../../game/src/game.ts';
import { seatRangeOf } from '../../game/src/game.ts';
import { fightArena } from '../../src/games/fight-arena/fight-arena.ts';
import { findGame, GAME_IDS } from '../../src/games/registry.ts';
import { printFile, printUnion } from './print-file.ts';
import { printComment } from './print-type.ts';

export function makeGameTypes(): string {
  const games = GAME_IDS.map((id) => findGame(id) ?? (fightArena as AnyGame));
  const table = (name: string, what: string, print: (game: AnyGame) => string): string =>
    `${printComment(what)}export interface ${name} {\n${games
      .map((game) => `  readonly '${game.id}': ${print(game)};\n`)
      .join('')}}\n`;
  return printFile('The games and what each can be set up with.', [
    printComment('The games that come with the service.') +
      printUnion(
        'KnownGame',
        GAME_IDS.map((id) => `'${id}'`),
      ),
    // In this form editors offer the shipped names, and any other compiles.
    `${printComment("A game's id: a shipped one, or one of the operator's own.")}export type Game = KnownGame | (string & {});\n`,
    table('GameVariants', 'The rule sets of each game; the first is the default.', ({ variants }) =>
      variants.map((each) => `'${each}'`).join(' | '),
    ),
    table('GameSeats', 'How many may sit at each game.', printSeats),
    table('GameOptions', "Each game's own options.", ({ options }) => printOptions(options)),
  ]);
}

function printSeats(game: AnyGame): string {
  const ranges = game.variants.map((variant) => seatRangeOf(game, variant));
  const min = Math.min(...ranges.map((range) => range.min));
  const max = Math.max(...ranges.map((range) => range.max));
  return Array.from({ length: max - min + 1 }, (_, index) => min + index).join(' | ');
}

function printOptions(options: Readonly<Record<string, OptionSpec>>): string {
  const fields = Object.entries(options).map(
    ([name, spec]) => `    readonly ${name}?: ${printOption(spec)} | null | undefined;\n`,
  );
  return fields.length === 0 ? 'unknown' : `{\n${fields.join('')}  }`;
}

function printOption(spec: OptionSpec): string {
  switch (spec.kind) {
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'choice':
      return spec.values.map((each) => JSON.stringify(each)).join(' | ');
  }
}
