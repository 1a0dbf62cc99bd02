/** Elements made in one call, from texts that are never interpreted as markup. */

export type Child = Node | string | null;

/** `className` may be empty. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

/** The same element with attributes. */
export function withAttributes<E extends Element>(
  element: E,
  attributes: Readonly<Record<string, string>>,
): E {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

export function link(
  href: string,
  className: string,
  ...children: readonly Child[]
): HTMLAnchorElement {
  return withAttributes(el('a', className, ...children), { href });
}

/** A text in which text between backticks is code. */
export function prose(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const [index, part] of text.split('`').entries()) {
    fragment.append(index % 2 === 1 ? el('code', '', part) : part);
  }
  return fragment;
}
