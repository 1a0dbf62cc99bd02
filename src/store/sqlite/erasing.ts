/** Erasing a player: each step, and the erasure, is a write of its own beside others'. */

import { makeErasing } from '../erasing.ts';
import {
  type AnswerPlace,
  FORGET_ANSWERS,
  WALKED_TOGETHER_MAX,
} from '../scripts/forgotten-answers.ts';
import type { Runner } from '../scripts/script.ts';
import type { CoreStore } from '../store.ts';
import type { GroupCommit } from './group-commit.ts';

export function makeSqliteErasing(
  writer: Pick<GroupCommit, 'perform'>,
  { write }: Runner,
  findPlayer: CoreStore['findPlayer'],
): Pick<CoreStore, 'forgetAnswersOf' | 'erasePlayer'> {
  return makeErasing<AnswerPlace>({
    together: WALKED_TOGETHER_MAX,
    isKnown: async (...who) => (await findPlayer(...who)) !== null,
    forgetAnswers: (whom, after) => write(FORGET_ANSWERS, { whom, after }),
    erase: (whom, now, looked, audit) =>
      writer.perform<'erasePlayer'>({ op: 'erasePlayer', ...whom, now, looked, audit }),
  });
}
