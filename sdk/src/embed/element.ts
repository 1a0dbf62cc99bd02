/** `<matchd-match>`: a match as an element, mounted while it is in the page. */

import type { EmbedTheme } from './messages.ts';
import type { Mounted, MountOptions } from './mount.ts';
import { mount } from './mount.ts';

/** Every event of the match is one of the element's: `matchd-ready`, `matchd-ended`, …, in `detail`. */
const EVENT_PREFIX = 'matchd-';

/**
 * Defines the element. Attributes: `src` (a play URL, or the service with `tenant`), `theme`, `lang`,
 * `muted`. Tokens are properties, so that they do not stand in the document: `token`, `getToken`.
 */
export function defineMatchElement(name = 'matchd-match'): void {
  if (customElements.get(name) !== undefined) return;
  customElements.define(
    name,
    class extends HTMLElement {
      static readonly observedAttributes = ['theme', 'muted'];
      token: string | undefined;
      getToken: MountOptions['getToken'];
      #mounted: Mounted | null = null;

      connectedCallback(): void {
        const url = this.getAttribute('src');
        if (url === null) return;
        this.#mounted = mount(this, {
          url,
          tenant: this.getAttribute('tenant') ?? undefined,
          token: this.token,
          getToken: this.getToken,
          theme: (this.getAttribute('theme') as EmbedTheme | null) ?? undefined,
          locale: this.getAttribute('lang') ?? undefined,
          muted: this.hasAttribute('muted'),
          onEvent: (detail) => {
            this.dispatchEvent(new CustomEvent(EVENT_PREFIX + detail.type, { detail }));
          },
        });
      }

      disconnectedCallback(): void {
        this.#mounted?.unmount();
        this.#mounted = null;
      }

      attributeChangedCallback(attribute: string, _: string | null, value: string | null): void {
        if (attribute === 'theme') this.#mounted?.setTheme((value as EmbedTheme | null) ?? 'auto');
        else this.#mounted?.setMuted(value !== null);
      }
    },
  );
}
