/** The available languages, each its own chunk: only the chosen one is loaded. */

import type { Texts } from './translate.ts';

export interface Language {
  /** The direction in which it is written. */
  readonly dir: 'ltr' | 'rtl';
  load(): Promise<Texts>;
}

const LANGUAGES = {
  en: { dir: 'ltr', load: async () => (await import('./en.ts')).en },
  de: { dir: 'ltr', load: async () => (await import('./de.ts')).de },
  es: { dir: 'ltr', load: async () => (await import('./es.ts')).es },
  hi: { dir: 'ltr', load: async () => (await import('./hi.ts')).hi },
  pt: { dir: 'ltr', load: async () => (await import('./pt.ts')).pt },
} as const satisfies Readonly<Record<string, Language>>;

export type LanguageTag = keyof typeof LANGUAGES;
const FALLBACK_LANGUAGE: LanguageTag = 'en';
export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as LanguageTag[];

/** The best available language for preferences such as `de-AT`, the most preferred first. */
export function chooseLanguage(preferences: readonly (string | null)[]): LanguageTag {
  for (const preference of preferences) {
    const tag = preference?.toLowerCase().split(/[-_]/)[0] ?? '';
    if (Object.hasOwn(LANGUAGES, tag)) return tag as LanguageTag;
  }
  return FALLBACK_LANGUAGE;
}

/**
 * The words of the language, else of another: a browser does not request a script again that it could not fetch. Null
 * when
 * none could be loaded.
 */
export async function loadLanguage(
  wanted: LanguageTag,
): Promise<{ readonly tag: LanguageTag; readonly texts: Texts } | null> {
  for (const tag of new Set([wanted, FALLBACK_LANGUAGE, ...LANGUAGE_TAGS])) {
    try {
      return { tag, texts: await LANGUAGES[tag].load() };
    } catch {
      // The next language has another address.
    }
  }
  return null;
}

export function languageOf(tag: LanguageTag): Language {
  return LANGUAGES[tag];
}
