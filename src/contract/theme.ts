/** The twelve theme names of the players' page. */

import { z } from 'zod';

const COLOUR = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;
const LENGTH = /^(?:[0-9]|[1-5][0-9]|6[0-4])px$/;
const LENGTH_PX_MAX = 64;

const colour = (description: string) =>
  z
    .string()
    .regex(COLOUR)
    .nullish()
    .meta({ description, examples: ['#2f6fed'] });

const length = (description: string) =>
  z
    .union([z.number().min(0).max(LENGTH_PX_MAX), z.string().regex(LENGTH)])
    .nullish()
    .meta({ description, examples: ['12px'] });

/** Colours are `#rgb` or `#rrggbb`, lengths 0 to 64 pixels, as a number or with `px`. */
export const theme = z
  .object({
    background: colour('The page background.'),
    surface: colour('Cards, bars and dialogs.'),
    text: colour('Text on background and surface.'),
    primary: colour('Buttons and the seat to move.'),
    accent: colour('Selection, legal moves and the last move.'),
    boardLight: colour('Light squares of the board, or the whole board if it has one colour.'),
    boardDark: colour('Dark squares, lines and frame of the board.'),
    piece1: colour('Pieces of seat 0.'),
    piece2: colour('Pieces of seat 1.'),
    piece3: colour('Pieces of seat 2.'),
    piece4: colour('Pieces of seat 3.'),
    radius: length('The radius of corners.'),
  })
  .meta({
    id: 'Theme',
    description:
      "Colours (`#rgb` or `#rrggbb`) and lengths (0 to 64 pixels) of the players' page. " +
      'Absent names keep their default; unknown names are ignored.',
  });
