/** Elements of the document by id; a missing one is a bug. */

export function find<E extends HTMLElement = HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`There is no #${id}`);
  return element as E;
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  element.append(...children);
  return element;
}

/** A button that copies a text and says so for a moment. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const button = make('button', 'quiet', label);
  button.type = 'button';
  button.addEventListener('click', async () => {
    // Clipboards need https or localhost; a phone on the local network has neither.
    const isCopied = await navigator.clipboard?.writeText(text()).then(
      () => true,
      () => false,
    );
    button.textContent = isCopied ? 'Copied' : 'Cannot copy here';
    setTimeout(() => {
      button.textContent = label;
    }, 1_600);
  });
  return button;
}
