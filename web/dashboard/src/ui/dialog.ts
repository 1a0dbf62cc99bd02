/** Dialogs: questions before what cannot be undone, and what is shown once. */

import { button, type Child, el, withAttributes } from './dom.ts';

/** Opens a dialog over the page; the browser keeps the focus inside and gives it back. */
export function openDialog(title: string, ...children: readonly Child[]): HTMLDialogElement {
  const heading = withAttributes(el('h2', '', title), { id: 'dialog-title' });
  const dialog = withAttributes(el('dialog', '', heading, ...children), {
    'aria-labelledby': 'dialog-title',
  });
  document.body.append(dialog);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.showModal();
  return dialog;
}

/** For who is signed out while one is open. */
export function closeDialogs(): void {
  for (const dialog of document.querySelectorAll('dialog')) dialog.close();
}

/** True when it was confirmed. The first button is the harmless one. */
export function confirm(title: string, text: string, act: string): Promise<boolean> {
  return new Promise((resolve) => {
    let isConfirmed = false;
    const dialog = openDialog(
      title,
      el('p', '', text),
      el(
        'div',
        'actions',
        button('', 'Cancel', () => dialog.close()),
        button('danger', act, () => {
          isConfirmed = true;
          dialog.close();
        }),
      ),
    );
    dialog.addEventListener('close', () => resolve(isConfirmed));
  });
}

/** Shows something that is not shown again; resolves when it is closed. Escape asks first. */
export function showOnce(title: string, ...children: readonly Child[]): Promise<void> {
  return new Promise((resolve) => {
    const warning = withAttributes(el('p', 'problem'), { role: 'alert' });
    const dialog = openDialog(
      title,
      ...children,
      warning,
      el(
        'div',
        'actions',
        button('primary', 'I have stored it', () => dialog.close()),
      ),
    );
    const ask = (event: Event): void => {
      event.preventDefault();
      warning.textContent = 'It cannot be shown again. Close only if you have stored it.';
    };
    // Before the browser's own: pressed twice it closes whatever a page says.
    dialog.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') ask(event);
    });
    dialog.addEventListener('cancel', ask);
    dialog.addEventListener('close', () => resolve());
  });
}
