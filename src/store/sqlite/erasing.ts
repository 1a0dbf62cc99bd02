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
    isKnown: (...who) => reader.findPlayer(...who) !== null,
    forgetAnswers: ({ playerIds: [playerId = ''], ...whom }, after) =>
      writer.perform<'forgetAnswers'>({ op: 'forgetAnswers', ...whom, playerId, after }),
    erase: (whom, now, looked, audit) =>
      writer.perform<'erasePlayer'>({ op: 'erasePlayer', ...whom, now, looked, audit }),
  });
}
