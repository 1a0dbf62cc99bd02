/** Erasing a player: what his tenant keeps for repeats is looked through first, step by step. */

import type { CoreStore } from '../store.ts';
import type { AnswerPlace } from './answer-rows.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Reader } from './reader.ts';

export function makeErasing(
  writer: Pick<GroupCommit, 'perform'>,
  reader: Pick<Reader, 'findPlayer' | 'newestExpiry'>,
): CoreStore['erasePlayer'] {
  /** One at a time: whoever writes meanwhile waits for one step and no more. */
  let last: Promise<unknown> = Promise.resolve();
  return (tenant, playerId, now, audit) => {
    const mine = last.then(async () => {
      const newestAt = reader.newestExpiry();
      const isKnown = reader.findPlayer(tenant, playerId) !== null;
      const whom = { tenant, playerId, isKnown };
      let after: AnswerPlace | null = null;
      do {
        after = await writer.perform<'forgetAnswers'>({ op: 'forgetAnswers', ...whom, after });
      } while (after !== null);
      const erasing = { op: 'erasePlayer', ...whom, newestAt, now, audit: audit ?? null } as const;
      return writer.perform<'erasePlayer'>(erasing);
    });
    last = mine.catch(() => undefined);
    return mine;
  };
}
