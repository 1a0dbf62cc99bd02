/** A minimal HTTP/1.1 client: a fixed number of keep-alive connections, one request at a time on each. */

import type { Address, Connection } from './tcp.ts';
import { clientAddress, openTcp } from './tcp.ts';

export interface HttpAnswer {
  readonly status: number;
  /** The header lines as they came. */
  readonly head: string;
  readonly body: string;
}

export interface HttpClient {
  /** Posts JSON. Rejects only when the connection breaks; any status is an answer. */
  post(path: string, body: unknown): Promise<HttpAnswer>;
  close(): void;
}

interface Call {
  readonly request: string;
  readonly resolve: (answer: HttpAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** A keep-alive connection: takes a call when it is free. */
type Worker = (call: Call) => void;

interface Pool {
  freed(worker: Worker): void;
  /** The connection is gone: servers close idle connections. */
  lost(worker: Worker, reason: Error): void;
}

/** `headers` go with every request, e.g. the key. */
export function makeHttpClient(
  address: Address,
  connectionsMax: number,
  headers: Readonly<Record<string, string>> = {},
): HttpClient {
  const waiting: Call[] = [];
  const free: Worker[] = [];
  const open = new Set<Connection>();
  let connections = 0;

  const pool: Pool = {
    freed(worker) {
      const next = waiting.shift();
      if (next === undefined) free.push(worker);
      else worker(next);
    },
    lost(worker, reason) {
      connections--;
      const at = free.indexOf(worker);
      if (at >= 0) free.splice(at, 1);
      if (connections > 0) return;
      for (const call of waiting.splice(0)) call.reject(reason);
    },
  };
  const submit = (call: Call): void => {
    const worker = free.pop();
    if (worker !== undefined) {
      worker(call);
      return;
    }
    waiting.push(call);
    if (connections < connectionsMax) openWorker(address, connections++, open, pool);
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const host = `Host: ${address.host}:${address.port}\r\n`;
  const common = `${host}${lines.join('')}Content-Type: application/json\r\n`;
  return {
    post(path, body) {
      const text = JSON.stringify(body);
      const length = Buffer.byteLength(text);
      const request = `POST ${path} HTTP/1.1\r\n${common}Content-Length: ${length}\r\n\r\n${text}`;
      return new Promise((resolve, reject) => submit({ request, resolve, reject }));
    },
    close() {
      for (const connection of open) connection.end();
    },
  };
}

function openWorker(address: Address, index: number, open: Set<Connection>, pool: Pool): void {
  let call: Call | null = null;
  let connection: Connection | null = null;
  let bytes: Buffer = Buffer.alloc(0);

  const worker: Worker = (next) => {
    call = next;
    connection?.write(next.request);
  };
  const takeCall = (): Call | null => {
    const taken = call;
    call = null;
    return taken;
  };
  openTcp(address, clientAddress(index), {
    opened(opened) {
      connection = opened;
      open.add(opened);
      pool.freed(worker);
    },
    received(chunk) {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      const answer = parseAnswer(bytes);
      if (answer === null) {
        bytes = Buffer.from(bytes);
        return;
      }
      bytes = Buffer.alloc(0);
      if (answer instanceof Error) {
        takeCall()?.reject(answer);
        connection?.destroy();
        return;
      }
      takeCall()?.resolve(answer);
      pool.freed(worker);
    },
    closed(error) {
      const reason = error ?? new Error('the server closed the connection');
      if (connection !== null) open.delete(connection);
      takeCall()?.reject(reason);
      pool.lost(worker, reason);
    },
  });
}

/** A whole answer, null while bytes are missing, or what is wrong with it. */
function parseAnswer(bytes: Buffer): HttpAnswer | Error | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = bytes.toString('latin1', 0, end);
  const start = end + 4;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head);
  const body =
    length === null
      ? parseChunks(bytes, start)
      : bytes.length < start + Number(length[1])
        ? null
        : bytes.toString('utf8', start, start + Number(length[1]));
  if (body === null || body instanceof Error) return body;
  return { status: Number(head.slice(9, 12)), head, body };
}

function parseChunks(bytes: Buffer, start: number): string | Error | null {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const next = lineEnd + 2 + length + 2;
    if (Number.isNaN(length)) return new Error('an answer with neither length nor chunks');
    if (bytes.length < next) return null;
    if (length === 0) return Buffer.concat(parts).toString('utf8');
    parts.push(bytes.subarray(lineEnd + 2, next - 2));
    at = next;
  }
}
