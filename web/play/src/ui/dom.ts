/** Creates elements in one call, never from markup: nothing a player wrote can become an element. */

type Attributes = Readonly<Record<string, string | number | boolean | null>>;
type Child = Node | string | null;

const SVG = 'http://www.w3.org/2000/svg';

/** An HTML element; `true` and `false` set and leave out an attribute, null leaves it out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
}

/** Sets a text only if it differs, so that nothing is drawn or announced again. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** The focus ring around a cell: a dark line in a light one. */
export function makeFocusRing(box: Attributes): SVGGElement {
  return svg('g', { class: 'focus-ring' }, svg('rect', box), svg('rect', box));
}

/** A button with an icon before its words. */
export function button(
  className: string,
  label: string,
  icon: SVGElement | null,
  press: () => void,
): HTMLButtonElement {
  const element = h('button', { type: 'button', class: className }, icon, h('span', {}, label));
  element.addEventListener('click', () => {
    if (element.getAttribute('aria-disabled') !== 'true') press();
  });
  return element;
}

/** Whether a button is enabled. A disabled one keeps the focus, which `disabled` would drop. */
export function setEnabled(element: HTMLButtonElement, enabled: boolean): void {
  element.setAttribute('aria-disabled', String(!enabled));
}

/** Applies a change to a part of the page. If it hides the focused element, `instead` gets the focus. */
export function keepKeyboard(part: Element, instead: HTMLElement, change: () => void): void {
  const wasIn = part.contains(document.activeElement);
  change();
  const now = document.activeElement;
  if (wasIn && (!part.contains(now) || now!.closest('[hidden]'))) instead.focus();
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) if (child !== null) element.append(child);
}
