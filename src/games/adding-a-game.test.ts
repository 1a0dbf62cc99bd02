/** The guide to adding a game names every member of a game. */

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findGame, GAME_IDS } from './registry.ts';

test('[G-CONTRACT] the guide to adding a game names every field that a game has', () => {
  const file = path.join(import.meta.dirname, '../../docs/guides/adding-a-game.md');
  const guide = readFileSync(file, 'utf8');
  const games = GAME_IDS.flatMap((id) => findGame(id) ?? []);
  const fields = new Set(games.flatMap((game) => Object.keys(game)));
  expect(fields.size).toBeGreaterThan(15);
  expect([...fields].filter((field) => !guide.includes(`\`${field}\``))).toEqual([]);
});
