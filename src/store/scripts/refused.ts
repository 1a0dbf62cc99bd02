/** How a script refuses some of its asks when what they wrote has to be undone. */

/**
 * Nothing of the transaction is kept. These asks, one at least, are answered so, and the others are done again
 * without them.
 */
export class Refused<Ask, Answer> extends Error {
  override readonly name = 'Refused';
  readonly answers: ReadonlyMap<Ask, Answer>;
  constructor(answers: ReadonlyMap<Ask, Answer>) {
    super(`a transaction is undone because ${answers.size} of its asks are refused`);
    this.answers = answers;
  }
}

/** Does asks until none is refused; answers them in their order. `act` is a transaction. */
export async function doUnrefused<Ask, Answer>(
  asks: readonly Ask[],
  act: (asks: readonly Ask[]) => Promise<readonly Answer[]>,
): Promise<readonly Answer[]> {
  const refused = new Map<Ask, Answer>();
  for (;;) {
    const left = asks.filter((ask) => !refused.has(ask));
    try {
      const done = left.length === 0 ? [] : await act(left);
      let next = 0;
      return asks.map((ask) => (refused.has(ask) ? refused.get(ask)! : done[next++]!));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      for (const [ask, answer] of error.answers) refused.set(ask as Ask, answer as Answer);
    }
  }
}
