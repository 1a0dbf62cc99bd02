/** `@matchd/sdk/embed`: a match in a page of one's own. */

export { defineMatchElement } from './element.ts';
export type { EmbedEvent, EmbedPalette, EmbedTheme } from './messages.ts';
export type { Mounted, MountOptions } from './mount.ts';
export { mount } from './mount.ts';
