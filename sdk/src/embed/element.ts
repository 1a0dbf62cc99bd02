/** `<matchd-match>`: a match as an element, mounted while it is in the page. */

import type { EmbedPalette, EmbedTheme } from './messages.ts';
import type { Mounted, MountOptions } from './mount.ts';
import { mount } from './mount.ts';

/** Every event of the match is dispatched on the element: `matchd-ready`, `matchd-ended`, …, with `detail`. */
const EVENT_PREFIX = 'matchd-';

/**
 * Defines the element. Attributes: `src` (a play URL, or the service with `tenant`), `theme`, `lang`, `muted`,
 * `invite-url`, `ball-paths`. Tokens are properties, so that they do not appear in the document: `token`,
 * `getToken`. Properties are also `onRematch` and `palette`, which must be set before the element is inserted.
 */
export function defineMatchElement(name = 'matchd-match'): void {
  if (customElements.get(name) !== undefined) return;
  customElements.define(
    name,
    class extends HTMLElement {
      static readonly observedAttributes = ['theme', 'lang', 'muted'];
      token: string | undefined;
      getToken: MountOptions['getToken'];
      palette: EmbedPalette | undefined;
      onRematch: MountOptions['onRematch'];
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
          palette: this.palette,
          onRematch: this.onRematch,
          locale: this.getAttribute('lang') ?? undefined,
          inviteUrl: this.getAttribute('invite-url') ?? undefined,
          ballPaths: this.hasAttribute('ball-paths') || undefined,
          // Without the attribute the player's own choice applies.
          muted: this.hasAttribute('muted') || undefined,
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
        if (attribute === 'muted') this.#mounted?.setMuted(value !== null);
        else if (attribute === 'theme') this.#mounted?.setTheme((value ?? 'auto') as EmbedTheme);
        else if (value !== null) this.#mounted?.setLocale(value);
      }
    },
  );
}
