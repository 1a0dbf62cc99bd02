/** `@matchd/sdk/embed`: a match in your own page. */

export { defineMatchElement } from './element.ts';
export type { EmbedEvent, EmbedPalette, EmbedTheme } from './messages.ts';
export type { Mounted, MountOptions } from './mount.ts';
export { mount } from './mount.ts';
