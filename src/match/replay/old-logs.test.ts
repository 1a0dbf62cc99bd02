/**
 * Logs of one match of each game, as the version before decision 0039 wrote them: killed, stopped
 * and drained on the way.
 */

import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { shippedGames } from '../../games/registry.ts';
import { nextDeadline } from '../deadline.ts';
import { foldEntry } from '../evolve.ts';
import type { LogRecord } from '../record.ts';
import type { Session } from '../session.ts';
import logs from './old-logs.json' with { type: 'json' };

test.each(logs.map((each) => [each.id, each] as const))(
  '[P6] a log of that version folds to the same match (%s)',
  (id, { log, then }) => {
    let session: Session | null = null;
    const kinds = new Set<string>();
    const deadlines: (number | null)[] = [];
    for (const [v, [at, text]] of log.entries()) {
      const record = JSON.parse(String(text)) as LogRecord;
      kinds.add(record.k);
      session = foldEntry(shippedGames.findPlayed, id, session, { v, at: Number(at), record });
      deadlines.push(nextDeadline(session));
    }
    expect([...kinds]).toContainValues(['paused', 'owned']);
    const last = session!;
    const played =
      last.status === 'ended' ? last.outcome : last.status === 'active' && last.play.state;
    const found = {
      status: last.status as string,
      turnStartedAt: last.status === 'active' ? last.turnStartedAt : null,
      deadlines,
      hash: createHash('sha256').update(JSON.stringify(played)).digest('hex'),
    };
    expect(found).toEqual(then as typeof found);
  },
);
