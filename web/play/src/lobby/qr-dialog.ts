/** The room's link as a large QR code in a dialog, to be scanned by another phone. */

import { makeQrPath } from '../../../qr/qr-path.ts';
import type { Translate } from '../i18n/translate.ts';
import { button, h, svg } from '../ui/dom.ts';

/** `text` is the content of the code. Rejects if the encoder cannot be loaded. */
export async function showQr(
  root: Element,
  t: Translate,
  { code, text }: { readonly code: string; readonly text: string },
): Promise<void> {
  const { size, d } = await makeQrPath(text);
  const title = h('h2', { id: 'qr-title' }, t('lobby.qr'));
  const picture = svg(
    'svg',
    { class: 'lobby-qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': text },
    svg('path', { d }),
  );
  const dialog = h(
    'dialog',
    { class: 'dialog', 'aria-labelledby': title.id },
    title,
    picture,
    h('p', { class: 'lobby-code', translate: 'no' }, code),
    h(
      'div',
      { class: 'dialog-actions' },
      button('button', t('fair.close'), null, () => dialog.close()),
    ),
  );
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => dialog.remove());
  root.append(dialog);
  dialog.showModal();
}
