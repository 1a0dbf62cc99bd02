/** What is kept of an endpoint's answer that was no success: its beginning as text, without secrets (rule E2a). */

/** Of such an answer's body no more is kept, in bytes. */
export const RESPONSE_BYTES_MAX = 1_024;

const REMOVED = '[removed]';

/**
 * What opens something, as an endpoint may send it back: keys of ours and of others who mark theirs, signatures, tokens,
 * credentials in URLs, and values under a name that says what they are.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\bwhsec_[\w+/=-]+/g, REMOVED],
  [/\bmr?k_(?:live|test)_\w+/g, REMOVED],
  [/\b(?:sk|pk|rk|ghp|gho|ghs|xox[a-z])[_-][\w-]{8,}/g, REMOVED],
  [/\bAKIA[0-9A-Z]{12,}/g, REMOVED],
  [/\bv1a?,[A-Za-z0-9+/=]{40,}/g, REMOVED],
  [/\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g, REMOVED],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${REMOVED}`],
  [/(:\/\/)[^\s/@:"']{1,200}:[^\s/@"']{1,200}@/g, `$1${REMOVED}@`],
  [
    /(["']?\b[\w-]{0,40}(?:password|passwd|secret|token|api[_-]?key|authorization|cookie)["']?\s{0,3}[:=]\s{0,3})("[^"]{0,1024}"?|'[^']{0,1024}'?|[^\s,;&}]+)/gi,
    `$1${REMOVED}`,
  ],
];

/** Null for nothing, and for what is no text. */
export function presentResponse(bytes: Uint8Array): string | null {
  const isCut = bytes.length > RESPONSE_BYTES_MAX;
  // A character that the cut divides is left out with `stream`.
  const text = new TextDecoder().decode(bytes.subarray(0, RESPONSE_BYTES_MAX), { stream: isCut });
  if (text.trim() === '' || text.includes('\0')) return null;
  let shown = text.replace(/[^\P{Cc}\n\t]/gu, ' ');
  for (const [secret, instead] of SECRETS) shown = shown.replace(secret, instead);
  return isCut ? `${shown}…` : shown;
}
