/** Alarms: never late, early ones kept, any number of sleepers on one timer. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { makeManualClock } from '../../../testing/manual-clock.ts';
import { TEST_SEED } from '../../../testing/test-seed.ts';
import type { Clock } from '../../ports.ts';
import type { Alarms, Sleeper } from './alarms.ts';
import { makeAlarms, NO_ALARM } from './alarms.ts';

interface Dreamer extends Sleeper {
  readonly name: number;
}

const dreamer = (name: number): Dreamer => ({ name, alarmAt: NO_ALARM });

function setUp(onRing: (sleeper: Dreamer, alarms: Alarms<Dreamer>) => void = () => {}) {
  const clock = makeManualClock(0);
  const rung: [name: number, at: number][] = [];
  const alarms: Alarms<Dreamer> = makeAlarms(clock, (sleeper) => {
    rung.push([sleeper.name, clock.now()]);
    onRing(sleeper, alarms);
  });
  return { clock, rung, alarms };
}

type Act =
  | { readonly act: 'set'; readonly name: number; readonly inMs: number }
  | { readonly act: 'clear'; readonly name: number }
  | { readonly act: 'advance'; readonly ms: number };

const SLEEPERS = 12;

const anyAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('set' as const),
      name: fc.nat(SLEEPERS - 1),
      inMs: fc.nat(60),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('clear' as const), name: fc.nat(SLEEPERS - 1) }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('advance' as const), ms: fc.nat(25) }) },
);

describe('[P6] alarms', () => {
  test(`[P6] fire for each sleeper at its earliest time and never late (seed ${TEST_SEED})`, () => {
    const run = (acts: readonly Act[]): void => {
      const { clock, rung, alarms } = setUp();
      const sleepers = Array.from({ length: SLEEPERS }, (_, name) => dreamer(name));
      const wanted = new Map<number, number>();
      const expected: string[] = [];
      const passTo = (end: number): void => {
        for (const [name, at] of wanted) {
          if (at > end) continue;
          expected.push(`${at} ${name}`);
          wanted.delete(name);
        }
      };
      for (const each of acts) {
        if (each.act === 'set') {
          const at = clock.now() + each.inMs;
          alarms.set(sleepers[each.name]!, at);
          wanted.set(each.name, Math.min(at, wanted.get(each.name) ?? Infinity));
        } else if (each.act === 'clear') {
          alarms.clear(sleepers[each.name]!);
          wanted.delete(each.name);
        } else {
          clock.advance(each.ms);
          passTo(clock.now());
        }
      }
      clock.advance(100);
      passTo(clock.now());
      const inOrder = (texts: readonly string[]) => [...texts].sort();
      expect(inOrder(rung.map(([name, at]) => `${at} ${name}`))).toEqual(inOrder(expected));
      const times = rung.map(([, at]) => at);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(clock.nextAt()).toBeNull();
    };
    fc.assert(fc.property(fc.array(anyAct, { maxLength: 300 }), run), {
      seed: TEST_SEED,
      numRuns: 300,
    });
  });

  test('[P6] an alarm that is set stays when a later one is requested, and null requests none', () => {
    const { clock, rung, alarms } = setUp();
    const sleeper = dreamer(1);
    alarms.set(sleeper, 50);
    alarms.set(sleeper, 90);
    alarms.set(sleeper, null);
    expect(sleeper.alarmAt).toBe(50);
    clock.advance(49);
    expect(rung).toEqual([]);
    clock.advance(1);
    expect(rung).toEqual([[1, 50]]);
    expect(sleeper.alarmAt).toBe(NO_ALARM);
    clock.advance(1_000);
    expect(rung.length).toBe(1);
  });

  test('[P6] an alarm for a past time fires in a turn of its own', () => {
    let rings = 0;
    const { clock, rung, alarms } = setUp((sleeper, own) => {
      rings += 1;
      // It still cannot do what is due: it must not be called again before time moves on.
      if (rings < 5) own.set(sleeper, 0);
    });
    alarms.set(dreamer(1), 10);
    alarms.set(dreamer(2), 10);
    clock.advance(10);
    expect(rung.slice(0, 2)).toEqual([
      [1, 10],
      [2, 10],
    ]);
    expect(rings).toBe(6);
  });

  test('[P6] times beyond what a timer can hold are reached in steps', () => {
    const { clock, rung, alarms } = setUp();
    const far = 2 ** 31 * 3;
    alarms.set(dreamer(1), far);
    clock.advance(far - 1);
    expect(rung).toEqual([]);
    clock.advance(1);
    expect(rung).toEqual([[1, far]]);
  });

  test('[P6] after a jump of the clock everything due by then fires at once', () => {
    let now = 0;
    const timers: { readonly ms: number; readonly run: () => void }[] = [];
    const clock: Clock = {
      now: () => now,
      after(ms, run) {
        const timer = { ms, run };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer), 1);
      },
    };
    const rung: number[] = [];
    const alarms = makeAlarms<Dreamer>(clock, ({ name }) => void rung.push(name));
    alarms.set(dreamer(1), 60_000);
    now = 3_600_000;
    alarms.set(dreamer(2), now + 10_000);
    expect(timers.map(({ ms }) => ms)).toEqual([60_000]);
    alarms.leapt();
    expect(timers.map(({ ms }) => ms)).toEqual([0]);
    timers[0]!.run();
    expect(rung).toEqual([1]);
    expect(timers.at(-1)!.ms).toBe(10_000);
  });

  test('[P6] after stop none fires and none can be set', () => {
    const { clock, rung, alarms } = setUp();
    alarms.set(dreamer(1), 10);
    alarms.stop();
    alarms.set(dreamer(2), 20);
    clock.advance(100);
    expect(rung).toEqual([]);
    expect(clock.nextAt()).toBeNull();
  });

  test('sleepers whose alarm was cancelled are released, however far off it was', async () => {
    const { alarms } = setUp();
    const registry = new Set<WeakRef<Dreamer>>();
    const fill = (): void => {
      for (let name = 0; name < 5_000; name++) {
        const sleeper = dreamer(name);
        alarms.set(sleeper, 1_000_000 + name);
        alarms.clear(sleeper);
        registry.add(new WeakRef(sleeper));
      }
    };
    fill();
    await new Promise((resolve) => setTimeout(resolve, 0));
    Bun.gc(true);
    const held = [...registry].filter((each) => each.deref() !== undefined).length;
    expect(held).toBeLessThan(500);
  });
});
