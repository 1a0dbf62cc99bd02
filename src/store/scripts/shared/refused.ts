/** How a script refuses some of its asks when their writes have to be undone. */

/**
 * The transaction is rolled back. These asks, at least one, get these answers, and the others are
 * run again without them.
 */
export class Refused<Ask, Answer> extends Error {
  override readonly name = 'Refused';
  readonly answers: ReadonlyMap<Ask, Answer>;
  constructor(answers: ReadonlyMap<Ask, Answer>) {
    super(`a transaction is undone because ${answers.size} of its asks are refused`);
    this.answers = answers;
  }
}

/** Throws `Refused` if any ask is refused. */
export function refuseSome<Ask, Answer>(
  asks: readonly Ask[],
  isRefused: (ask: Ask) => boolean,
  answer: Answer,
): void {
  const refused = asks.filter(isRefused);
  if (refused.length > 0) throw new Refused(new Map(refused.map((ask) => [ask, answer])));
}

/** By ask. */
export type Refusals = ReadonlyMap<unknown, unknown>;

/** Repeats until nothing more is refused. `act` runs a transaction, given the earlier refusals. */
export async function doUnrefused<T>(act: (refused: Refusals) => Promise<T>): Promise<T> {
  const refused = new Map<unknown, unknown>();
  for (;;) {
    try {
      return await act(refused);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      for (const [ask, answer] of error.answers) refused.set(ask, answer);
    }
  }
}
