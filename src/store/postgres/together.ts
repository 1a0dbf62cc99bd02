/** Asks that come at the same time, done in one transaction or statement: those of all cost little more than one's. */

import { OneByOne } from '../scripts/undo.ts';
import { isOfData } from './connection.ts';
import { makeLanes, makeTurns } from './lanes.ts';
import type { Row, Sql, Transactor, Tx } from './sql.ts';

export interface TogetherOptions {
  /** So many batches may be under way at a time. */
  readonly lanes: number;
  /** For so many asks at most. */
  readonly batchMax: number;
}

interface Work<Ask, Answer> {
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
  options: TogetherOptions,
  act: (tx: Tx, asks: readonly Ask[]) => Promise<readonly Answer[]>,
): (ask: Ask) => Promise<Answer> {
  return makeGathered(options, (asks) => db.transaction((tx) => act(tx, asks)));
}

/** The same for a statement that only reads: the row whose `id` is the key, of those whose keys are in `$1`. */
export function makeByKey(
  db: Sql,
  options: TogetherOptions,
  text: string,
): (key: string) => Promise<Row | null> {
  return makeGathered(options, async (keys: readonly string[]) => {
    const rows = await db.all(text, [...new Set(keys)]);
    const byKey = new Map(rows.map((row) => [row['id'], row]));
    return keys.map((key) => byKey.get(key) ?? null);
  });
}

/** `orderOf`: asks of the same name are done in their order, none together with another. Without it nobody waits so. */
export function makeGathered<Ask, Answer>(
  { lanes, batchMax }: TogetherOptions,
  act: (asks: readonly Ask[]) => Promise<readonly Answer[]>,
  orderOf?: (ask: Ask) => string,
): (ask: Ask) => Promise<Answer> {
  let count = 0;
  const work = async (batch: readonly Work<Ask, Answer>[]): Promise<void> => {
    try {
      const asks = batch.map(({ ask }) => ask);
      const answers = await act(asks);
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
      push({ session: orderOf?.(ask) ?? `${count}`, ask, done, failed });
    });
}
