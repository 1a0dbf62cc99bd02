/** The screens that docs/screens shows the players' page on, and which pictures are kept of each. */

export const SIZES = [
  { width: 360, height: 740 },
  { width: 740, height: 360 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const;
export type Size = (typeof SIZES)[number];

export const isPhone = ({ width, height }: Size): boolean => Math.min(width, height) < 600;

/** On every screen the board in play; all the rest on two. With EVERY_SIZE set nothing is left out: to look at, not to keep. */
export const isTaken = (state: string, { width }: Size): boolean =>
  process.env['EVERY_SIZE'] !== undefined || state === 'active' || width === 360 || width === 1280;
