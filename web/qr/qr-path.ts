/** QR codes for the pages, drawn by uqr, which is loaded with the first of them. */

/** Modules of white around a code, by the standard. */
const QUIET = 4;

export interface QrPath {
  /** Modules of a side, with the quiet zone. */
  readonly size: number;
  /** The dark modules, as the `d` of an SVG path. */
  readonly d: string;
}

/** Throws for a text too long for any code, and if the encoder cannot be loaded. */
export async function makeQrPath(text: string): Promise<QrPath> {
  const { encode } = await import('uqr');
  // Level M, because a code is read off a screen, at an angle and with reflections.
  const { size, data } = encode(text, { ecc: 'M', border: QUIET });
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { size, d: dark.join('') };
}
