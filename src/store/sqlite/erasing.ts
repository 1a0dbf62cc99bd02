/** Erasing a player: what his tenant keeps for repeats is looked through first, step by step. */

import { makeInTurn } from '../in-turn.ts';
import type { CoreStore } from '../store.ts';
import type { AnswerPlace } from './answer-rows.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Reader } from './reader.ts';

export function makeErasing(
  writer: Pick<GroupCommit, 'perform'>,
  reader: Pick<Reader, 'findPlayer'>,
): CoreStore['erasePlayer'] {
  /** Of a tenant one at a time: whoever writes meanwhile waits for one step of each and no more. */
  const turns = makeInTurn();
  return (tenant, playerId, now, audit) =>
    turns.run(tenant, async () => {
      const isKnown = reader.findPlayer(tenant, playerId) !== null;
      const whom = { tenant, playerId, isKnown };
      let after: AnswerPlace | null = null;
      do {
        after = await writer.perform<'forgetAnswers'>({ op: 'forgetAnswers', ...whom, after });
      } while (after !== null);
      const erasing = { op: 'erasePlayer', ...whom, now, audit: audit ?? null } as const;
      return writer.perform<'erasePlayer'>(erasing);
    });
}
