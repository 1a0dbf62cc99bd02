/** Answers kept for repeats, in memory. */

import type { IdempotencyId, IdempotencyRow, IdempotencyStore } from '../store/store.ts';

export type MemoryAnswers = Map<string, IdempotencyRow>;

export function makeMemoryAnswers(answers: MemoryAnswers): IdempotencyStore {
  return {
    async findIdempotent(id, now) {
      const row = answers.get(nameOf(id));
      return row !== undefined && row.expiresAt > now ? row : null;
    },
    keepIdempotent: async (row) => keepAnswer(answers, row),
    async removeIdempotent(expiredBefore, limit) {
      const expired = [...answers]
        .filter(([, row]) => row.expiresAt < expiredBefore)
        .slice(0, limit);
      for (const [name] of expired) answers.delete(name);
      return expired.length;
    },
  };
}

/** The first answer stays while it is good: then it answers false. */
export function keepAnswer(answers: MemoryAnswers, row: IdempotencyRow): boolean {
  const held = answers.get(nameOf(row));
  if (held !== undefined && held.expiresAt > row.keptAt) return false;
  answers.set(nameOf(row), { ...row });
  return true;
}

function nameOf({ tenant, mode, method, path, key }: IdempotencyId): string {
  return [tenant, mode, method, path, key].join('\n');
}
