/** Dark panels with text to read or to copy. */

import { el, withAttributes } from './dom.ts';
import { formatJson } from './json-text.ts';

/** How long a button shows "Copied". Milliseconds. */
const COPIED_MS = 1_500;

export function makeSample(title: string, text: string): HTMLElement {
  const code = el('code', '', text);
  const copy = makeCopyButton(title, code);
  // A scrolling element must be reachable by keyboard, too.
  const pre = withAttributes(el('pre', '', code), { tabindex: '0', 'aria-label': title });
  return el('figure', 'sample', el('figcaption', '', el('span', '', title), copy), pre);
}

/** Copies the element's text; `title` names it to screen readers. */
export function makeCopyButton(title: string, code: HTMLElement): HTMLButtonElement {
  const copy = withAttributes(el('button', 'copy', 'Copy'), {
    type: 'button',
    'aria-label': `Copy: ${title}`,
  });
  copy.addEventListener('click', () => void copyText(copy, code));
  return copy;
}

export function makeJsonSample(title: string, value: unknown): HTMLElement {
  return makeSample(title, formatJson(value));
}

/** If pages may not use the clipboard, the text is selected for the reader to copy. */
async function copyText(button: HTMLButtonElement, code: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '');
    button.textContent = 'Copied';
  } catch {
    window.getSelection()?.selectAllChildren(code);
    button.textContent = 'Selected';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, COPIED_MS);
}
