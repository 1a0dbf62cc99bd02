/** Whether a field's name has one of some words in it, in whatever spelling. Pure. */

export function namedAs(words: string): (name: string) => boolean {
  const all = words.split(' ');
  return (name) => {
    const lower = name.toLowerCase();
    return all.some((word) => lower.includes(word));
  };
}
