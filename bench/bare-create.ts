/**
 * The bare handler session creation is measured against: it reads and parses the body and answers
 * with the bytes of one real answer. Arguments: the port, and a file with that answer.
 */

import { readFileSync } from 'node:fs';
import { announce, portArgument } from './announce.ts';
import type { RecordedAnswer } from './jobs.ts';

const { status, headers, body } = JSON.parse(
  readFileSync(process.argv[3]!, 'utf8'),
) as RecordedAnswer;

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: portArgument(),
  async fetch(request) {
    JSON.parse(await request.text());
    return new Response(body, { status, headers });
  },
});
announce({ url: server.url.origin, pid: process.pid });
