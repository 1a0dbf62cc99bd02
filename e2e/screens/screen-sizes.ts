/** The screen sizes of docs/screens for the players' page, and which screenshots are committed for each. */

export const SIZES = [
  { width: 360, height: 740 },
  { width: 740, height: 360 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const;
export type Size = (typeof SIZES)[number];

export const isPhone = ({ width, height }: Size): boolean => Math.min(width, height) < 600;

/** Boards in play are taken at every size, everything else at two. With EVERY_SIZE everything is, for review only. */
export const isTaken = (state: string, { width }: Size): boolean =>
  process.env['EVERY_SIZE'] !== undefined || state === 'active' || width === 360 || width === 1280;
