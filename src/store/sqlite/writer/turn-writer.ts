/** Group commit without a thread: the writes of one turn of the event loop are one transaction. */

import { parseWorldName } from '../../../events/event.ts';
import { loopTurn } from '../../shared/loop-turn.ts';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import type { WriteBatch } from './batch-writer.ts';
import type { Gate } from './gate.ts';
import {
  gatherCommit,
  gatherWrite,
  makeGathered,
  report,
  reportAll,
  size,
  toBatch,
} from './gathered.ts';
import type { EventListener, GroupCommit } from './group-commit.ts';
import type { ScriptOp, WriterOp, WriterReply } from './writer-protocol.ts';

const CLOSED = 'The store is closed';

/** A batch is written in the next turn of the event loop, and its results are reported in order. */
export function makeTurnWriter(write: WriteBatch, gate: Gate): GroupCommit {
  const listeners: EventListener[] = [];
  let gathered = makeGathered();
  let written: Promise<void> | null = null;
  let isClosing = false;
  const flush = async (): Promise<void> => {
    while (size(gathered) > 0) {
      // Writes of the same turn join it.
      await loopTurn();
      const batch = gathered;
      gathered = makeGathered();
      const reply = await gate.write(() => write(toBatch(batch)));
      reportAll(batch, reply);
      notifyHeads(listeners, reply);
    }
    written = null;
  };
  const schedule = (): void => {
    written ??= flush();
  };
  const perform = (op: WriterOp | ScriptOp): Promise<unknown> => {
    if (isClosing) return Promise.reject(new StoreUnavailable(CLOSED));
    const answer = gatherWrite(gathered, op);
    schedule();
    return answer;
  };
  return {
    commit(commit, done) {
      if (isClosing) {
        setImmediate(done, 'unknown');
        return;
      }
      gatherCommit(gathered, commit, done);
      schedule();
    },
    perform: (op) => perform(op) as Promise<never>,
    script: (name, ask) => perform({ op: 'script', name, ask }),
    onEvents: (listener) => void listeners.push(listener),
    pending: () => size(gathered),
    async close(before) {
      isClosing = true;
      await written;
      before?.();
    },
  };
}

function notifyHeads(listeners: readonly EventListener[], reply: WriterReply): void {
  if (!reply.ok) return;
  for (const [world, head] of reply.heads)
    for (const listener of listeners) report(() => listener(parseWorldName(world), head), null);
}
