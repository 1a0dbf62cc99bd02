/** Whether two JSON values are equal, in any order of fields. Pure. */

export function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return one === other;
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) => Object.hasOwn(other, name) && isSame(fieldIn(one, name), fieldIn(other, name)),
    )
  );
}

function fieldIn(value: object, name: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[name];
}
