/** Erasing a player: what his tenant keeps for repeats is looked through first, step by step. */

import type { CoreStore } from '../store.ts';
import type { AnswerPlace } from './answer-rows.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Reader } from './reader.ts';

export function makeErasing(
  writer: Pick<GroupCommit, 'perform'>,
  reader: Pick<Reader, 'findPlayer'>,
): CoreStore['erasePlayer'] {
  /** Of a tenant one at a time: whoever writes meanwhile waits for one step of each and no more. */
  const lines = new Map<string, Promise<unknown>>();
  return (tenant, playerId, now, audit) => {
    const erase = async (): Promise<boolean> => {
      const isKnown = reader.findPlayer(tenant, playerId) !== null;
      const whom = { tenant, playerId, isKnown };
      let after: AnswerPlace | null = null;
      do {
        after = await writer.perform<'forgetAnswers'>({ op: 'forgetAnswers', ...whom, after });
      } while (after !== null);
      const erasing = { op: 'erasePlayer', ...whom, now, audit: audit ?? null } as const;
      return writer.perform<'erasePlayer'>(erasing);
    };
    const mine = (lines.get(tenant) ?? Promise.resolve()).then(erase);
    const over: Promise<void> = mine
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        if (lines.get(tenant) === over) lines.delete(tenant);
      });
    lines.set(tenant, over);
    return mine;
  };
}
