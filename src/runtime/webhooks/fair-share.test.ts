/** Which deliveries may start when not all may: in turns, and slow ones share a part. */

import { expect, test } from 'bun:test';
import { type FairShare, makeFairShare, type Sharer } from './fair-share.ts';

interface Asker extends Sharer {
  /** Ends one request of its own. */
  end(): void;
  /** Its latest request is slow. */
  slow(): void;
  sent: number;
}

function askerOf(tenant: string, wants: number, isTroubled = false): Asker {
  const done: (() => void)[] = [];
  let slowLatest = () => {};
  const asker: Asker = {
    tenant,
    sent: 0,
    isTroubled: () => isTroubled,
    isReady: () => asker.sent < wants,
    send(finish, slowed) {
      asker.sent += 1;
      done.push(finish);
      slowLatest = slowed;
    },
    slow: () => slowLatest(),
    end: () => done.shift()?.(),
  };
  return asker;
}

const askAll = (share: FairShare, askers: readonly Asker[]) => {
  for (const asker of askers) share.ask(asker);
};
const LIMITS = { total: 8, troubledMax: 3, tenantMax: 8, tenantTroubledMax: 8 };

test('[E2] no more run than allowed, and every waiting one gets its turn', () => {
  const share = makeFairShare({ ...LIMITS, total: 2 });
  const [a, b, c] = [askerOf('t', 9), askerOf('t', 9), askerOf('t', 9)];
  share.ask(a);
  expect([a.sent, share.underWay()]).toEqual([2, 2]);
  askAll(share, [b, c]);
  a.end();
  a.end();
  expect([a.sent, b.sent, c.sent]).toEqual([2, 1, 1]);
  b.end();
  expect([a.sent, b.sent, c.sent]).toEqual([3, 1, 1]);
  c.end();
  expect([a.sent, b.sent, c.sent]).toEqual([3, 2, 1]);
  expect(share.underWay()).toBe(2);
});

test('[E2] slow and failing ones leave room for the others', () => {
  const share = makeFairShare(LIMITS);
  const dead = Array.from({ length: 10 }, (_, i) => askerOf(`d${i}`, 1, true));
  askAll(share, dead);
  expect(share.underWay()).toBe(3);
  const well = askerOf('w', 9);
  share.ask(well);
  expect(well.sent).toBe(5);
  well.end();
  expect(well.sent).toBe(6);
  dead[0]!.end();
  expect(dead.map(({ sent }) => sent)).toEqual([1, 1, 1, 1, 0, 0, 0, 0, 0, 0]);
});

test("[E2] a tenant's troubled webhooks leave room for its others", () => {
  const share = makeFairShare({ ...LIMITS, tenantMax: 4, tenantTroubledMax: 2 });
  askAll(share, [askerOf('t', 1, true), askerOf('t', 1, true), askerOf('t', 1, true)]);
  expect(share.underWay()).toBe(2);
  const well = askerOf('t', 9);
  share.ask(well);
  expect(well.sent).toBe(2);
});

test('[E2] a slow request counts as troubled from then on', () => {
  const share = makeFairShare(LIMITS);
  const hanging = Array.from({ length: 3 }, (_, i) => askerOf(`h${i}`, 1));
  askAll(share, hanging);
  for (const each of hanging) {
    each.slow();
    each.slow();
  }
  const troubled = askerOf('t', 1, true);
  share.ask(troubled);
  expect(troubled.sent).toBe(0);
  hanging[0]!.end();
  expect(troubled.sent).toBe(1);
  hanging[1]!.end();
  hanging[1]!.slow();
  const another = askerOf('u', 1, true);
  share.ask(another);
  expect([another.sent, share.underWay()]).toEqual([1, 3]);
});

test("[E2] one tenant's webhooks leave room for another's", () => {
  const share = makeFairShare({ ...LIMITS, tenantMax: 4 });
  const many = Array.from({ length: 5 }, () => askerOf('greedy', 9));
  askAll(share, many);
  expect(share.underWay()).toBe(4);
  const other = askerOf('other', 2);
  share.ask(other);
  expect(other.sent).toBe(2);
});

test('[E2] a removed webhook gets no more turns; an end reported twice counts once', () => {
  const share = makeFairShare({ ...LIMITS, total: 1 });
  const ends: (() => void)[] = [];
  const first = { ...askerOf('t', 1), isReady: () => ends.length === 0 };
  share.ask({ ...first, send: (done) => void ends.push(done) });
  const gone = askerOf('t', 1);
  const next = askerOf('t', 2);
  askAll(share, [gone, next]);
  share.forget(gone);
  ends[0]!();
  ends[0]!();
  expect([gone.sent, next.sent, share.underWay()]).toEqual([0, 1, 1]);
});
