/** Asks that come at the same time, done in one transaction or statement: those of all cost little more than one's. */

import { doUnrefused } from '../scripts/refused.ts';
import type { Script } from '../scripts/script.ts';
import { isOfData } from './connection.ts';
import { type Item, makeLanes, makeTurns } from './lanes.ts';
import { scriptTx } from './script-tx.ts';
import type { Row, Sql, Transactor } from './sql.ts';

export interface TogetherOptions {
  /** So many batches may be under way at a time. */
  readonly lanes: number;
  /** For so many asks at most. */
  readonly batchMax: number;
}

/** An ask, and who is told. */
export interface Work<Ask, Answer> extends Item {
  readonly ask: Ask;
  readonly done: (answer: Answer) => void;
  readonly failed: (error: unknown) => void;
}

/** Asks of a script that come at one time. */
export function makeTogether<Ask, Answer>(
  db: Transactor,
  options: TogetherOptions,
  script: Script<Ask, Answer>,
): (ask: Ask) => Promise<Answer> {
  return gather(options, (works) => doTogether(db, script, works));
}

/** Does what is asked of a script, in one transaction for each of its rounds, and tells each. Never rejects. */
export async function doTogether<Ask, Answer>(
  db: Transactor,
  { act, rounds }: Pick<Script<Ask, Answer>, 'act' | 'rounds'>,
  works: readonly Work<Ask, Answer>[],
): Promise<void> {
  const transact = (asks: readonly Ask[]) =>
    doUnrefused(asks, (left) => db.transaction((tx) => act(scriptTx(tx), left)));
  if (rounds === undefined) return await tellAll(works, transact);
  const byAsk = new Map(works.map((work) => [work.ask, work]));
  for (const round of rounds(works.map(({ ask }) => ask))) {
    await tellAll(
      round.map((ask) => byAsk.get(ask)!),
      transact,
    );
  }
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
  options: TogetherOptions,
  act: (asks: readonly Ask[]) => Promise<readonly Answer[]>,
  orderOf?: (ask: Ask) => string,
): (ask: Ask) => Promise<Answer> {
  return gather(options, (works) => tellAll(works, act), orderOf);
}

function gather<Ask, Answer>(
  { lanes, batchMax }: TogetherOptions,
  work: (works: readonly Work<Ask, Answer>[]) => Promise<void>,
  orderOf?: (ask: Ask) => string,
): (ask: Ask) => Promise<Answer> {
  let count = 0;
  const options = { lanes, batchMax, batchMin: 1, waitMs: 0, work };
  const { push } = makeLanes<Work<Ask, Answer>>(makeTurns(), options);
  return (ask) =>
    new Promise((done, failed) => {
      count += 1;
      push({ session: orderOf?.(ask) ?? `${count}`, ask, done, failed });
    });
}

/** When one of them spoils it for all, each is done alone. */
async function tellAll<Ask, Answer>(
  works: readonly Work<Ask, Answer>[],
  act: (asks: readonly Ask[]) => Promise<readonly Answer[]>,
): Promise<void> {
  try {
    const answers = await act(works.map(({ ask }) => ask));
    for (const [i, { done }] of works.entries()) done(answers[i]!);
  } catch (error) {
    if (works.length > 1 && isOfData(error)) for (const each of works) await tellAll([each], act);
    else for (const { failed } of works) failed(error);
  }
}
