/** The writer's thread: one batch, one transaction, one flush to disk. */

import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../file/open.ts';
import { makeBatchWriter } from './batch-writer.ts';
import { openCommitHead } from './commit-head.ts';
import type { WriterBatch, WriterSetup } from './writer-protocol.ts';

const { file, waitMs, headFile } = workerData as WriterSetup;
const db = openDatabase(file, 'write', waitMs);
const head = headFile === null ? null : openCommitHead(db, headFile);
const writeBatch = makeBatchWriter(db, { waitMs, head });
const port = parentPort!;

port.on('message', async (batch: WriterBatch | 'close') => {
  if (batch === 'close') {
    db.close();
    head?.close();
    port.postMessage('closed');
    port.close();
    return;
  }
  port.postMessage(await writeBatch(batch));
});
port.postMessage('ready');
