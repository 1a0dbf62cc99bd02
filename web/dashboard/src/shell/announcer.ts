/** Announcements to the reader that disappear by themselves: a status or an error. */

/** How long a text stays. */
const SAID_MS = 6_000;

export interface Announcer {
  /** To be placed once, outside of what changes. */
  readonly element: HTMLElement;
  say(text: string): void;
  /** Over an open dialog, too. */
  warn(text: string): void;
}

export function makeAnnouncer(): Announcer {
  const said = makeText('status');
  const warned = makeText('alert');
  const element = document.createElement('div');
  element.append(said, warned);
  let timer = 0;
  /** Both are in the same place: a new text replaces the other. */
  const show = (status: string, alert: string): void => {
    said.textContent = status;
    warned.textContent = alert;
    clearTimeout(timer);
    if (status + alert !== '') timer = window.setTimeout(() => show('', ''), SAID_MS);
  };
  return {
    element,
    say: (text) => show(text, ''),
    warn(text) {
      // A dialog covers the rest of the page, for screen readers as well.
      (document.querySelector('dialog[open]') ?? element).append(warned);
      show('', text);
    },
  };
}

function makeText(role: 'status' | 'alert'): HTMLElement {
  const text = document.createElement('p');
  text.className = 'said';
  text.role = role;
  return text;
}
