/** The colours of a fight for the canvas; the style sheet mixes them from the tenant's. */

import { h } from '../../../ui/dom.ts';

/** A fighter's clothes. */
export interface Outfit {
  readonly main: string;
  /** The same in the shade, for the far limbs and folds. */
  readonly shade: string;
  readonly trousers: string;
  readonly trousersShade: string;
  readonly skin: string;
  readonly skinShade: string;
  readonly hair: string;
  readonly trim: string;
}

export interface Palette {
  readonly outline: string;
  readonly shadow: string;
  readonly dust: string;
  /** The burst of a hit, and the light of an invulnerable body. */
  readonly burst: string;
  readonly spark: string;
  readonly guard: string;
  readonly outfits: readonly [Outfit, Outfit];
}

/** Reads the board's own properties: the browser computes each mix once, here. */
export function readPalette(element: Element): Palette {
  const probe = h('i', { hidden: true });
  element.append(probe);
  const style = getComputedStyle(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(--fa-${name})`;
    return style.color;
  };
  const outfit = (seat: 1 | 2): Outfit => ({
    main: colour(`main-${seat}`),
    shade: colour(`shade-${seat}`),
    trousers: colour(`trousers-${seat}`),
    trousersShade: colour(`trousers-shade-${seat}`),
    skin: colour(`skin-${seat}`),
    skinShade: colour(`skin-shade-${seat}`),
    hair: colour(`hair-${seat}`),
    trim: colour(`trim-${seat}`),
  });
  const palette: Palette = {
    outline: colour('outline'),
    shadow: colour('shadow'),
    dust: colour('cloud'),
    burst: colour('sun'),
    spark: colour('spark'),
    guard: colour('guard'),
    outfits: [outfit(1), outfit(2)],
  };
  probe.remove();
  return palette;
}

/** Calls when the colours may have changed; returns a function that stops it. */
export function followTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true });
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', changed);
  return () => {
    observer.disconnect();
    scheme.removeEventListener('change', changed);
  };
}
