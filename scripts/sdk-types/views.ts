/** The SDK's types of each game's views, made of their schemas. */

import { makeSchema } from '../../src/contract/documents/json-schema.ts';
import { GAME_VIEWS } from './game-views.ts';
import { printFile } from './print-file.ts';
import { printComment, printDeclaration, type Schema } from './print-type.ts';

/** `fight-arena` as `FightArena`. */
const nameOf = (game: string): string =>
  game
    .split('-')
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join('');

export function makeViewTypes(): string {
  const games = Object.entries(GAME_VIEWS);
  const parts = new Map<string, unknown>();
  const views = games.map(([game, schema]) => {
    const made = { ...makeSchema(schema, parts), description: `What a state of ${game} shows.` };
    return printDeclaration(`${nameOf(game)}View`, made as Schema, (name) => name);
  });
  const rows = games.map(([game]) => `  readonly '${game}': ${nameOf(game)}View;\n`);
  return printFile('What the `view` of a state shows, by game.', [
    ...Array.from(parts, ([name, part]) => printDeclaration(name, part as Schema, (each) => each)),
    ...views,
    `${printComment('By game.')}export interface Views {\n${rows.join('')}}\n`,
  ]);
}
