/** Erasing a player: each step, and the erasure, is a write of its own beside others'. */

import { makeErasing } from '../erasing.ts';
import type { CoreStore } from '../store.ts';
import type { AnswerPlace } from './answer-rows.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Reader } from './reader.ts';

export function makeSqliteErasing(
  writer: Pick<GroupCommit, 'perform'>,
  reader: Pick<Reader, 'findPlayer'>,
): Pick<CoreStore, 'forgetAnswersOf' | 'erasePlayer'> {
  return makeErasing<AnswerPlace>({
    together: 1,
    isKnown: (tenant, playerId) => reader.findPlayer(tenant, playerId) !== null,
    forgetAnswers: ({ tenant, playerIds: [playerId = ''], isKnown }, after) =>
      writer.perform<'forgetAnswers'>({ op: 'forgetAnswers', tenant, playerId, isKnown, after }),
    erase: (whom, now, looked, audit) =>
      writer.perform<'erasePlayer'>({ op: 'erasePlayer', ...whom, now, looked, audit }),
  });
}
