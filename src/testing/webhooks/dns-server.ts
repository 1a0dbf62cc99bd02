/** A name server on 127.0.0.1 whose answers a test controls, and a lookup that uses only it. */

import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';

const TYPE_A = 1;
const CLASS_IN = 1;
const HEAD_BYTES = 12;
/** Response, authoritative, recursion desired and available. */
const FLAGS_ANSWER = 0x8580;
/** A pointer to the name in the question. */
const NAME_OF_QUESTION = 0xc00c;

export interface DnsServer {
  /** Every name whose IPv4 addresses were requested, in order. */
  readonly asked: readonly string[];
  /** Looks up like the system, but here. */
  resolve(hostname: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** `answer` gives the IPv4 addresses of a name, by how often it was requested before. */
export async function openDnsServer(
  answer: (name: string, count: number) => readonly string[],
): Promise<DnsServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, end, type } = readQuestion(query);
    const isIpv4 = type === TYPE_A;
    const count = asked.filter((each) => each === name).length;
    if (isIpv4) asked.push(name);
    socket.send(makeReply(query, end, isIpv4 ? answer(name, count) : []), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    asked,
    resolve: (hostname) => resolver.resolve4(hostname),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = HEAD_BYTES;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** With a TTL of 0 s: every lookup asks again. */
function makeReply(query: Buffer, questionEnd: number, addresses: readonly string[]): Buffer {
  const head = Buffer.from(query.subarray(0, questionEnd));
  head.writeUInt16BE(FLAGS_ANSWER, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    const record = Buffer.alloc(16);
    record.writeUInt16BE(NAME_OF_QUESTION, 0);
    record.writeUInt16BE(TYPE_A, 2);
    record.writeUInt16BE(CLASS_IN, 4);
    record.writeUInt16BE(4, 10);
    record.set(address.split('.').map(Number), 12);
    return record;
  });
  return Buffer.concat([head, ...records]);
}
