/**
 * The work queue: slots of each kind, turns, and shares of accounts, addresses, links and tenants.
 */

import { expect, test } from 'bun:test';
import { makeWorkQueue, type WorkFor, type WorkKind } from './work-queue.ts';
import { workByLink, workFor } from './work-shares.ts';

/** Running work ends on request, one item after the other. */
function openLine() {
  const run = makeWorkQueue();
  const begun: string[] = [];
  let end = (): void => {};
  const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
  return {
    begun,
    /** Whether the work was refused as busy at once. */
    async isBusy(name: string, whom: WorkFor): Promise<boolean> {
      let answer: unknown;
      const ran = run(whom, () => {
        begun.push(name);
        return new Promise<void>((resolve) => {
          end = resolve;
        });
      });
      void ran.then((value) => {
        answer = value;
      });
      await settle();
      return answer === 'busy';
    },
    /** Ends the running work. */
    async next() {
      end();
      await settle();
    },
  };
}

const anybody = (kind: WorkKind): WorkFor => ({ kind, shares: [] });
const ann = 'ann@example.test';
const at = (address: string) => ({ address });

/** How many of that number are admitted. */
async function countIn(
  line: ReturnType<typeof openLine>,
  count: number,
  whom: (i: number) => WorkFor,
): Promise<number> {
  let isIn = 0;
  for (let i = 0; i < count; i++) if (!(await line.isBusy('', whom(i)))) isIn += 1;
  return isIn;
}

test('[D2] one item runs at a time, and each kind has its own slots, which no other kind takes', async () => {
  const line = openLine();
  expect(await line.isBusy('first', anybody('known'))).toBe(false);
  const places = { stranger: 20, linked: 10, known: 20 } as const;
  for (const kind of ['stranger', 'linked', 'known'] as const)
    expect([kind, await countIn(line, 25, () => anybody(kind))]).toEqual([kind, places[kind]]);
  expect(line.begun).toEqual(['first']);
  // A caller that has left makes room.
  await line.next();
  expect(await line.isBusy('', anybody('known'))).toBe(false);
});

test('[D2] kinds take turns: a busy kind does not starve the others', async () => {
  const line = openLine();
  await line.isBusy('known', anybody('known'));
  for (let i = 0; i < 3; i++) await line.isBusy('known', anybody('known'));
  for (let i = 0; i < 3; i++) await line.isBusy('stranger', anybody('stranger'));
  await line.isBusy('linked', anybody('linked'));
  for (let i = 0; i < 8; i++) {
    await line.isBusy('known', anybody('known'));
    await line.next();
  }
  const first = ['known', 'known', 'linked', 'stranger', 'known', 'stranger', 'known', 'stranger'];
  expect(line.begun).toEqual([...first, 'known']);
});

test('[D2] failed work passes its turn on and returns its shares', async () => {
  const run = makeWorkQueue();
  const whom: WorkFor = { kind: 'known', shares: [{ name: 'one', max: 1 }] };
  const failing = run(whom, () => Promise.reject(new Error('no memory')));
  const other = run(anybody('stranger'), async () => 'done');
  await expect(failing).rejects.toThrow('no memory');
  expect(await other).toBe('done');
  expect(await run(whom, async () => 'again')).toBe('again');
});

test('[D2] at most 3 of one account, and 3 from one address, are queued; a /64 is one address', async () => {
  const line = openLine();
  const site = (i: number) => at(`192.0.2.${i}`);
  expect(await countIn(line, 5, (i) => workFor('stranger', ann, site(i)))).toBe(3);
  const email = (i: number) => `b${i}@example.test`;
  const inOne = (i: number) => workFor('stranger', email(i), at(`2001:db8:1:1::${i + 1}`));
  expect(await countIn(line, 5, inOne)).toBe(3);
  expect(await line.isBusy('', workFor('stranger', 'c@example.test', at('192.0.2.9')))).toBe(false);
});

test('[D2] strangers who try an account, or share its address, take no slot of known users', async () => {
  const line = openLine();
  expect(await countIn(line, 4, () => workFor('stranger', ann, at('192.0.2.1')))).toBe(3);
  expect(await countIn(line, 4, () => workFor('known', ann, at('192.0.2.1')))).toBe(3);
});

test('[D2] from one IPv6 /48 at most 6 of each kind are queued: strangers, link holders and known', async () => {
  const line = openLine();
  const from = (i: number, site = '1') => at(`2001:db8:${site}:${i}::1`);
  const email = (i: number) => `s${i}@example.test`;
  const link = (i: number) => ({ id: `lnk_${i}`, tenant: `t${i}` });
  expect(await countIn(line, 9, (i) => workFor('stranger', email(i), from(i)))).toBe(6);
  expect(await countIn(line, 9, (i) => workByLink(link(i), email(i), from(i)))).toBe(6);
  expect(await countIn(line, 9, (i) => workFor('known', email(i), from(i)))).toBe(6);
  expect(await line.isBusy('', workFor('stranger', ann, from(1, '2')))).toBe(false);
});

test('[D2] at most one is queued per link, and 3 by the links of one tenant', async () => {
  const line = openLine();
  const byLink = (id: string, tenant: string | null, i: number) =>
    workByLink({ id, tenant }, `${id}@example.test`, at(`192.0.2.${i}`));
  expect(await countIn(line, 3, (i) => byLink('lnk_1', 'mal', i))).toBe(1);
  expect(await countIn(line, 5, (i) => byLink(`lnk_2${i}`, 'mal', i))).toBe(2);
  expect(await countIn(line, 3, (i) => byLink('reset', null, i))).toBe(1);
  expect(await line.isBusy('', byLink('lnk_3', 'acme', 1))).toBe(false);
});
