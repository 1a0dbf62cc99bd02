/** Elements made in one call, from texts that are never taken for markup. */

export type Child = Node | string | null | undefined | false;

/** `className` may be empty. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  append(element, children);
  return element;
}

export function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

/** The same element with attributes. */
export function withAttributes<E extends Element>(
  element: E,
  attributes: Readonly<Record<string, string>>,
): E {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

export function link(href: string, className: string, ...children: readonly Child[]) {
  return withAttributes(el('a', className, ...children), { href });
}

/** What `act` rejects with is said on the page. */
export function button(
  className: string,
  label: string,
  act: (event: Event) => unknown,
): HTMLButtonElement {
  const made = withAttributes(el('button', className, label), { type: 'button' });
  made.addEventListener('click', (event) => void act(event));
  return made;
}

/** A text that is code, with a button that copies it. */
export function copyable(text: string, label = 'Copy'): HTMLElement {
  const copy = button('small', label, async () => {
    await navigator.clipboard.writeText(text);
    copy.textContent = 'Copied';
    setTimeout(() => {
      copy.textContent = label;
    }, 2_000);
  });
  return el('div', 'copyable', el('code', '', text), copy);
}
