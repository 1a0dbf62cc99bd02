/** Colours as numbers: their contrast, and the nearest colour with enough of it. Pure. */

/** `#rrggbb`. */
export type Colour = string;

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
/** The number of steps between a colour and black or white that are tried. */
const STEPS = 100;

/** From `#rgb` and `#rrggbb`; null for anything else. */
export function parseColour(value: unknown): Colour | null {
  if (typeof value !== 'string' || !HEX.test(value)) return null;
  const long = value.length === 7 ? value : value.replace(/[0-9a-f]/gi, '$&$&');
  return long.toLowerCase();
}

/** 0 to 255 each. */
function channelsOf(colour: Colour): [number, number, number] {
  const part = (at: number): number => Number.parseInt(colour.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

/** Mixes in sRGB as CSS does; the share of the first colour is 0 to 1. */
export function mix(first: Colour, second: Colour, share: number): Colour {
  const other = channelsOf(second);
  const mixed = channelsOf(first).map((value, n) =>
    Math.round(value * share + other[n]! * (1 - share)),
  );
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Relative luminance, 0 to 1 (WCAG 2.2). */
export function luminanceOf(colour: Colour): number {
  const [red, green, blue] = channelsOf(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** 1 to 21 (WCAG 2.2). */
export function contrastOf(first: Colour, second: Colour): number {
  const [a, b] = [luminanceOf(first), luminanceOf(second)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/**
 * The colour, made only as dark or light as needed for the contrast with each of the grounds. If none reaches it,
 * black or
 * white, whichever is nearer.
 */
export function toContrast(colour: Colour, grounds: readonly Colour[], ratio: number): Colour {
  const least = (each: Colour): number => Math.min(...grounds.map((on) => contrastOf(each, on)));
  for (let step = 0; step <= STEPS; step += 1) {
    for (const end of ['#000000', '#ffffff']) {
      const tried = mix(end, colour, step / STEPS);
      if (least(tried) >= ratio) return tried;
    }
  }
  return least('#000000') >= least('#ffffff') ? '#000000' : '#ffffff';
}
