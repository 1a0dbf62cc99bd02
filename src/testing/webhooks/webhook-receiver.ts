/** An endpoint for webhooks on this machine: it records its requests and answers on demand. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as it came. */
export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The event's id: the header `webhook-id`. */
  readonly id: string;
  /** By `performance.now`. */
  readonly at: number;
}

/** `hang` never answers. */
export type ReceiverAnswer =
  | 'hang'
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly delayMs?: number;
    };

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** The most requests that were open at the same time. */
  readonly peak: () => number;
  /** From now on. */
  answer(how: (request: Received) => ReceiverAnswer): void;
  close(): Promise<void>;
}

export async function openReceiver(
  how: (request: Received) => ReceiverAnswer = () => ({ status: 204 }),
  port = 0,
): Promise<Receiver> {
  const received: Received[] = [];
  let answer = how;
  let open = 0;
  let peak = 0;
  const server = createServer(async (request, response) => {
    open += 1;
    peak = Math.max(peak, open);
    response.on('close', () => {
      open -= 1;
    });
    const one = await read(request);
    received.push(one);
    await respond(response, answer(one));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}/hook`,
    port: taken,
    received,
    peak: () => peak,
    answer(next) {
      answer = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(request: IncomingMessage): Promise<Received> {
  const at = performance.now();
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return { headers, body, id: headers['webhook-id'] ?? '', at };
}

async function respond(response: ServerResponse, answer: ReceiverAnswer): Promise<void> {
  if (answer === 'hang') return;
  const { status, headers = {}, body = '', delayMs = 0 } = answer;
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  response.writeHead(status, headers);
  response.end(body);
}
