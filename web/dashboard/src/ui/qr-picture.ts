/** A QR code as a picture: dark on white in either theme, as readers want it. */

import { makeQrPath } from '../../../qr/qr-path.ts';
import { el, withAttributes } from './dom.ts';

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** Drawn as soon as its encoder is loaded; nothing stands there where it cannot be. */
export function qrPicture(text: string): HTMLElement {
  const picture = el('div', 'qr');
  const draw = async (): Promise<void> => {
    const { size, d } = await makeQrPath(text);
    const path = document.createElementNS(NAMESPACE, 'path');
    path.setAttribute('d', d);
    const svg = withAttributes(document.createElementNS(NAMESPACE, 'svg'), {
      viewBox: `0 0 ${size} ${size}`,
      role: 'img',
      'aria-label': 'The secret as a QR code',
    });
    svg.append(path);
    picture.append(svg);
  };
  // The secret stands below it as text.
  draw().catch(() => picture.remove());
  return picture;
}
