/** Asks that come at the same time, done in one transaction: the commits of all cost what that of one does. */

import { isOfData } from './connection.ts';
import { makeLanes, makeTurns } from './lanes.ts';
import type { Transactor, Tx } from './sql.ts';

/** Thrown in a transaction for several: what becomes of one depends on the others, so each is done alone. */
export class OneByOne extends Error {
  override readonly name = 'OneByOne';
}

export interface TogetherOptions {
  /** So many transactions may be under way at a time. */
  readonly lanes: number;
  /** For so many asks at most. */
  readonly batchMax: number;
}

interface Work<Ask, Answer> {
  /** Nobody waits for anybody's turn: each its own. */
  readonly session: string;
  readonly ask: Ask;
  readonly done: (answer: Answer) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * `act` answers each ask, in their order, as if they came one after the other. When one of them
 * spoils the transaction, each gets one of its own.
 */
export function makeTogether<Ask, Answer>(
  db: Transactor,
  { lanes, batchMax }: TogetherOptions,
  act: (tx: Tx, asks: readonly Ask[]) => Promise<readonly Answer[]>,
): (ask: Ask) => Promise<Answer> {
  let count = 0;
  const work = async (batch: readonly Work<Ask, Answer>[]): Promise<void> => {
    try {
      const asks = batch.map(({ ask }) => ask);
      const answers = await db.transaction((tx) => act(tx, asks));
      for (const [i, { done }] of batch.entries()) done(answers[i]!);
    } catch (error) {
      const isOfOne = isOfData(error) || error instanceof OneByOne;
      if (batch.length > 1 && isOfOne) for (const each of batch) await work([each]);
      else for (const { failed } of batch) failed(error);
    }
  };
  const { push } = makeLanes<Work<Ask, Answer>>(makeTurns(), {
    ...{ lanes, batchMax, batchMin: 1, waitMs: 0 },
    work,
  });
  return (ask) =>
    new Promise((done, failed) => {
      count += 1;
      push({ session: `${count}`, ask, done, failed });
    });
}
