/** Messages that nodes leave for each other while the bus is down. */

import type { Mail, MailStore } from '../../cluster.ts';
import type { Row } from '../../rows/row.ts';
import { HAS_LEASE } from '../shared/leases.ts';
import { type Runner, type Script, scriptOfOne } from '../shared/script.ts';

export function makeMailStore({ write }: Runner): MailStore {
  /** Numbers this process's messages, to keep their order. */
  let count = 0;
  return {
    async putMail(toNode, fromNode, texts) {
      const first = count + 1;
      count += texts.length;
      await write(PUT, { toNode, fromNode, first, texts });
    },
    takeMail: (node, limit) => write(TAKE, { node, limit }),
  };
}

interface Put {
  readonly toNode: string;
  readonly fromNode: string;
  /** The number of the first message. */
  readonly first: number;
  readonly texts: readonly string[];
}

const PUT: Script<Put, null> = {
  name: 'putMail',
  isLoose: true,
  async act(tx, puts) {
    const given = puts.flatMap(({ toNode, fromNode, first, texts }) =>
      texts.map((body, i) => ({ toNode, fromNode, n: first + i, body })),
    );
    await tx.run(
      `INSERT INTO mail (to_node, from_node, n, at, body)
       SELECT to_node, from_node, n, now_ms(), body
         FROM @given(to_node text, from_node text, n bigint, body text)
        WHERE EXISTS (SELECT 1 FROM node WHERE node.id = given.to_node AND ${HAS_LEASE})`,
      { given },
    );
    return puts.map(() => null);
  },
};

const TAKE = scriptOfOne(
  'takeMail',
  async (
    tx,
    { node, limit }: { readonly node: string; readonly limit: number },
  ): Promise<readonly Mail[]> => {
    // Nearly always there is none, and each node polls four times a second.
    const any = await tx.get('SELECT 1 AS found FROM mail WHERE to_node = :node LIMIT 1', { node });
    if (any === undefined) return [];
    const rows = await tx.all(
      `DELETE FROM mail WHERE to_node = :node AND (from_node, n) IN (
         SELECT from_node, n FROM mail WHERE to_node = :node ORDER BY at, from_node, n LIMIT :limit)
       RETURNING from_node, n, at, body`,
      { node, limit },
    );
    return [...rows]
      .sort(inOrder)
      .map((row) => ({ from: String(row['from_node']), text: String(row['body']) }));
  },
  { isLoose: true },
);

function inOrder(a: Row, b: Row): number {
  const byTime = Number(a['at']) - Number(b['at']);
  return byTime === 0 ? Number(a['n']) - Number(b['n']) : byTime;
}

export const MAIL_SCRIPTS = [PUT, TAKE];
