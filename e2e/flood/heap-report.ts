/** Loaded into the service before it starts (`bun --preload`): writes its heap, a line of JSON every few seconds. */

import { heapStats } from 'bun:jsc';
import { appendFileSync } from 'node:fs';

const EVERY_MS = 2_000;

const file = process.env['FLOOD_HEAP_FILE'];
if (file !== undefined && Bun.isMainThread) {
  setInterval(() => {
    // Garbage does not count as growth.
    Bun.gc(true);
    const { heapSize, extraMemorySize, objectCount, objectTypeCounts } = heapStats();
    const types = Object.entries(objectTypeCounts).sort(([, a], [, b]) => b - a);
    const top = Object.fromEntries(types.slice(0, 12));
    const { rss } = process.memoryUsage();
    appendFileSync(
      file,
      `${JSON.stringify({ rss, heapSize, extraMemorySize, objectCount, top })}\n`,
    );
  }, EVERY_MS).unref();
}
