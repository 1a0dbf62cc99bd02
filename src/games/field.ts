/** Reading untrusted input: the first step of every game's `parseAction`. */

/**
 * The value of an object's own field; undefined where there is none. Inherited fields and
 * accessors count as absent, so neither `__proto__` nor a getter gets a word in. Never throws on
 * what JSON can hold.
 */
export function ownField(input: unknown, name: string): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  return Object.getOwnPropertyDescriptor(input, name)?.value;
}
