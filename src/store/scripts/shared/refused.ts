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

/** Throws `Refused` where one of the asks is to be refused. */
export function refuseSome<Ask, Answer>(
  asks: readonly Ask[],
  isRefused: (ask: Ask) => boolean,
  answer: Answer,
): void {
  const refused = asks.filter(isRefused);
  if (refused.length > 0) throw new Refused(new Map(refused.map((ask) => [ask, answer])));
}

/** By what was asked. */
export type Refusals = ReadonlyMap<unknown, unknown>;

/** Does it until nothing more is refused. `act` is a transaction, told what was refused before. */
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
