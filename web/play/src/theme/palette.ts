/** A tenant's twelve colours and lengths, read without trust and made readable. Pure. */

import type { Colour } from './colour.ts';
import { luminanceOf, mix, parseColour, toContrast } from './colour.ts';

export const COLOUR_NAMES = [
  'background',
  'surface',
  'text',
  'primary',
  'accent',
  'boardLight',
  'boardDark',
  'piece1',
  'piece2',
  'piece3',
  'piece4',
] as const;
export type ColourName = (typeof COLOUR_NAMES)[number];
export type Colours = Readonly<Record<ColourName, Colour>>;

/** The tenant's values; the others have the page's defaults. */
export interface Palette {
  readonly colours: Readonly<Partial<Record<ColourName, Colour>>>;
  /** The corner radius, CSS pixels. */
  readonly radiusPx: number | null;
}

/** The page's colours, with those derived from the twelve. */
export interface Paint extends Colours {
  readonly muted: Colour;
  /** `primary` for text and lines rather than for grounds. */
  readonly primaryText: Colour;
  readonly onPrimary: Colour;
  /** For a clock that is running out. */
  readonly amber: Colour;
  readonly danger: Colour;
  readonly onDanger: Colour;
  readonly onBoard: Colour;
  /** The emblems on pieces of the first two seats, which distinguish them without colour. */
  readonly mark1: Colour;
  readonly mark2: Colour;
  /** The marks of the first and the second seat of tic-tac-toe. */
  readonly ink1: Colour;
  readonly ink2: Colour;
}

/**
 * Contrasts (WCAG 2.2): of text, of other readable marks, of visible shapes. On a medium ground no colour reaches the
 * first;
 * black or white always reaches the second.
 */
const TEXT = 7;
const LABEL = 4.5;
const SHAPE = 3;
/** Pieces have a rim and an emblem in addition to their colour; boards have their lines. */
const FIELD = 1.4;
const MARK = 1.7;

const DARK_LUMINANCE_MAX = 0.18;
/** The API's maximum, and what is shown: a larger radius would turn plates into pills. CSS pixels. */
const RADIUS_PX_MAX = 64;
const RADIUS_SHOWN_PX_MAX = 28;
const LENGTH = /^(\d{1,2})px$/;

/** Null if no value is valid. */
export function parsePalette(value: unknown): Palette | null {
  if (typeof value !== 'object' || value === null) return null;
  const given = value as Readonly<Record<string, unknown>>;
  const colours: Partial<Record<ColourName, Colour>> = {};
  for (const name of COLOUR_NAMES) {
    const colour = Object.hasOwn(given, name) ? parseColour(given[name]) : null;
    if (colour !== null) colours[name] = colour;
  }
  const radiusPx = Object.hasOwn(given, 'radius') ? parseRadius(given['radius']) : null;
  return Object.keys(colours).length === 0 && radiusPx === null ? null : { colours, radiusPx };
}

function parseRadius(value: unknown): number | null {
  const px = typeof value === 'string' ? Number(LENGTH.exec(value)?.[1] ?? Number.NaN) : value;
  if (typeof px !== 'number' || !(px >= 0 && px <= RADIUS_PX_MAX)) return null;
  return Math.min(RADIUS_SHOWN_PX_MAX, px);
}

export function isDark(colour: Colour): boolean {
  return luminanceOf(colour) <= DARK_LUMINANCE_MAX;
}

/** Readable, distinguishable colours: the background stays, foreground colours are adjusted. */
export function makePaint(
  requested: Colours,
  requestedDanger: Colour,
  requestedAmber: Colour,
): Paint {
  const { background, boardLight } = requested;
  const text = toContrast(requested.text, [background], TEXT);
  const surface = toContrast(requested.surface, [text], TEXT);
  const grounds = [background, surface];
  const boardDark = toContrast(requested.boardDark, [boardLight], FIELD);
  const boards = [boardLight, boardDark];
  const piece1 = toContrast(requested.piece1, boards, FIELD);
  const piece2 = toContrast(requested.piece2, boards, FIELD);
  const paper = mix(background, '#ffffff', 0.94);
  const danger = toContrast(requestedDanger, grounds, LABEL);
  return {
    background,
    surface,
    text,
    primary: requested.primary,
    accent: toContrast(requested.accent, [boardDark], SHAPE),
    boardLight,
    boardDark,
    piece1,
    piece2,
    // Except ludo's seats, whose board has a light ground.
    piece3: toContrast(requested.piece3, [boardLight], FIELD),
    piece4: toContrast(requested.piece4, [boardLight], FIELD),
    muted: toContrast(mix(text, background, 0.7), grounds, LABEL),
    primaryText: toContrast(requested.primary, grounds, LABEL),
    onPrimary: toContrast(paper, [requested.primary], LABEL),
    amber: toContrast(requestedAmber, grounds, LABEL),
    danger,
    onDanger: toContrast(paper, [danger], LABEL),
    onBoard: toContrast('#fffaf0', [boardDark], LABEL),
    mark1: toContrast(mix(piece1, '#000000', 0.64), [piece1], MARK),
    mark2: toContrast(mix(piece2, '#000000', 0.64), [piece2], MARK),
    ink1: toContrast(requested.piece1, [boardLight], SHAPE),
    ink2: toContrast(requested.piece3, [boardLight], SHAPE),
  };
}
