/** Numbers for people: `12,345`. */

const numbers = new Intl.NumberFormat('en');

export function number(value: number): string {
  return numbers.format(value);
}
