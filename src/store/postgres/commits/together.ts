/** Batches parallel asks into one transaction or statement, which costs little more than a single ask. */

import { doUnrefused } from '../../scripts/shared/refused.ts';
import type { Script } from '../../scripts/shared/script.ts';
import { isOfData } from '../connect/connection.ts';
import type { Transactor } from '../connect/sql.ts';
import { type Item, makeLanes, makeTurns } from './lanes.ts';
import { type Loose, looseTx, scriptTx } from './script-tx.ts';

export interface TogetherOptions {
  /** How many batches may run at a time. */
  readonly lanes: number;
  /** The most asks per batch. */
  readonly batchMax: number;
}

/** An ask and its callback. */
export interface Work<Ask, Answer> extends Item {
  readonly ask: Ask;
  readonly done: (answer: Answer) => void;
  readonly failed: (error: unknown) => void;
}

/** Batches parallel asks of a script. */
export function makeTogether<Ask, Answer>(
  db: Transactor & Loose,
  options: TogetherOptions,
  script: Script<Ask, Answer>,
): (ask: Ask) => Promise<Answer> {
  return gather(options, (works) => doTogether(db, script, works));
}

/**
 * Performs asks of a script, in one transaction for each of its rounds, and reports each result.
 * Never rejects.
 */
export async function doTogether<Ask, Answer>(
  db: Transactor & Loose,
  script: Script<Ask, Answer>,
  works: readonly Work<Ask, Answer>[],
): Promise<void> {
  const { rounds } = script;
  const transact = (asks: readonly Ask[]) =>
    doUnrefused(async (refused) => {
      const left = asks.filter((ask) => !refused.has(ask));
      const done = left.length === 0 ? [] : await doAll(db, script, left);
      let next = 0;
      return asks.map((ask) => (refused.has(ask) ? (refused.get(ask) as Answer) : done[next++]!));
    });
  if (rounds === undefined) return await reportEach(works, transact);
  const byAsk = new Map(works.map((work) => [work.ask, work]));
  for (const round of rounds(works.map(({ ask }) => ask))) {
    await reportEach(
      round.map((ask) => byAsk.get(ask)!),
      transact,
    );
  }
}

/** In a transaction, if the script needs one. */
export function doAll<Ask, Answer>(
  db: Transactor & Loose,
  { act, isLoose }: Script<Ask, Answer>,
  asks: readonly Ask[],
): Promise<readonly Answer[]> {
  return isLoose ? act(looseTx(db), asks) : db.transaction((tx) => act(scriptTx(tx), asks));
}

/** The same for reads. */
export function makeGathered<Ask, Answer>(
  options: TogetherOptions,
  act: (asks: readonly Ask[]) => Promise<readonly Answer[]>,
): (ask: Ask) => Promise<Answer> {
  return gather(options, (works) => reportEach(works, act));
}

function gather<Ask, Answer>(
  { lanes, batchMax }: TogetherOptions,
  work: (works: readonly Work<Ask, Answer>[]) => Promise<void>,
): (ask: Ask) => Promise<Answer> {
  let count = 0;
  const options = { lanes, batchMax, batchMin: 1, waitMs: 0, work };
  const { push } = makeLanes<Work<Ask, Answer>>(makeTurns(), options);
  return (ask) =>
    new Promise((done, failed) => {
      count += 1;
      push({ session: `${count}`, ask, done, failed });
    });
}

/** If one of them fails all, each is done alone. */
async function reportEach<Ask, Answer>(
  works: readonly Work<Ask, Answer>[],
  act: (asks: readonly Ask[]) => Promise<readonly Answer[]>,
): Promise<void> {
  try {
    const answers = await act(works.map(({ ask }) => ask));
    for (const [i, { done }] of works.entries()) done(answers[i]!);
  } catch (error) {
    if (works.length > 1 && isOfData(error))
      for (const each of works) await reportEach([each], act);
    else for (const { failed } of works) failed(error);
  }
}
