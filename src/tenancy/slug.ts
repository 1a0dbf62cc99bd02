/** The part of a play page's path that names a tenant. */

const SLUG_CHARS_MAX = 40;
const SLUG_SHAPE = new RegExp(`^[a-z0-9](?:[a-z0-9-]{0,${SLUG_CHARS_MAX - 2}}[a-z0-9])?$`);
/** For names that have no letter of the Latin alphabet. */
const SLUG_OF_OTHERS = 'tenant';

export function isSlug(text: string): boolean {
  return SLUG_SHAPE.test(text);
}

/** A slug for a tenant's name, e.g. `cafe-nero` for `Café Nero`, unlike those that are `taken`. */
export function makeSlug(name: string, taken: ReadonlySet<string>): string {
  const base = slugOf(name) || SLUG_OF_OTHERS;
  let slug = base;
  for (let n = 2; taken.has(slug); n++) {
    const ending = `-${n}`;
    slug = withoutEdges(base.slice(0, SLUG_CHARS_MAX - ending.length)) + ending;
  }
  return slug;
}

function slugOf(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = withoutEdges(letters.replace(/[^a-z0-9]+/g, '-'));
  return withoutEdges(words.slice(0, SLUG_CHARS_MAX));
}

/** Of hyphens there is never more than one in a row. */
function withoutEdges(text: string): string {
  return text.replace(/^-|-$/g, '');
}
