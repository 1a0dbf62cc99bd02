/** Whether a field's name contains one of some words, in any spelling. Pure. */

export function namedAs(words: string): (name: string) => boolean {
  const all = words.split(' ');
  return (name) => {
    const lower = name.toLowerCase();
    return all.some((word) => lower.includes(word));
  };
}
