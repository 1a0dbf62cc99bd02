/** Splits work that must not share a transaction. */

/**
 * Splits `T` into rounds. Works that share a name are in different rounds, in order; all works of a
 * round are of one kind.
 */
export function roundsOf<T>(
  works: readonly T[],
  namesOf: (work: T) => readonly string[],
  kindOf: (work: T) => string = () => '',
): readonly (readonly T[])[] {
  const rounds: { readonly kind: string; readonly works: T[] }[] = [];
  /** The first round that is free for a name. */
  const free = new Map<string, number>();
  for (const work of works) {
    const names = namesOf(work);
    const kind = kindOf(work);
    let at = Math.max(0, ...names.map((name) => free.get(name) ?? 0));
    while (at < rounds.length && rounds[at]!.kind !== kind) at += 1;
    if (at === rounds.length) rounds.push({ kind, works: [] });
    rounds[at]!.works.push(work);
    for (const name of names) free.set(name, at + 1);
  }
  return rounds.map((round) => round.works);
}
