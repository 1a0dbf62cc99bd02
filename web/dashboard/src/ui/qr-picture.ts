/** A QR code as a picture: dark on white in either theme, as readers want it. */

import { encode } from 'uqr';
import { el, withAttributes } from './dom.ts';

/** Modules of white around it, by the standard. */
const QUIET = 4;
const NAMESPACE = 'http://www.w3.org/2000/svg';

/** Null for a text that is too long. */
export function qrPicture(text: string): HTMLElement | null {
  const rows = rowsOf(text);
  if (rows === null) return null;
  const size = rows.length + 2 * QUIET;
  const dark = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])),
  );
  const path = document.createElementNS(NAMESPACE, 'path');
  path.setAttribute('d', dark.join(''));
  const svg = withAttributes(document.createElementNS(NAMESPACE, 'svg'), {
    viewBox: `0 0 ${size} ${size}`,
    role: 'img',
    'aria-label': 'The secret as a QR code',
  });
  svg.append(path);
  return el('div', 'qr', svg);
}

/** Rows of modules, dark ones true. */
function rowsOf(text: string): readonly (readonly boolean[])[] | null {
  try {
    return encode(text, { ecc: 'M', border: 0 }).data;
  } catch {
    return null;
  }
}
