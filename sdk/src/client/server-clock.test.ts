/** The client's estimate of the server's clock while the device's own clock changes. */

import { expect, test } from 'bun:test';
import { makeServerClock } from './server-clock.ts';

/** A device whose clock is `skewMs` ahead of the server's; the test sets the duration of pings. */
function makeDevice() {
  const clock = makeServerClock();
  let now = 1_000_000_000;
  const device = {
    clock,
    skewMs: 0,
    /** `setMs`: the device's clock is changed by this much during the ping. */
    ping(roundTripMs: number, setMs = 0): void {
      const sentAt = now + device.skewMs;
      now += roundTripMs;
      device.skewMs += setMs;
      clock.take(sentAt, now + device.skewMs, now - roundTripMs / 2);
      now += 25_000;
    },
  };
  return device;
}

test('[P6] of consistent pings the fastest is trusted', () => {
  const device = makeDevice();
  device.clock.take(0, 40, 1_020);
  device.clock.take(1_000, 1_200, 2_150);
  expect(device.clock.offsetMs).toBe(1_000);
  expect(device.clock.roundTripMs).toBe(200);
});

test('[P6] a change of the clock is followed by the next ping, forwards and back', () => {
  const device = makeDevice();
  for (const skewMs of [0, 600_000, -3_600_000]) {
    device.skewMs = skewMs;
    device.ping(50);
    device.ping(90);
    expect(device.clock.offsetMs + skewMs).toBe(0);
  }
});

test('[P6] a clock changed during a ping spoils only that ping', () => {
  const device = makeDevice();
  device.ping(40);
  device.ping(50, -5_000);
  expect(device.clock.roundTripMs).toBe(40);
  device.ping(50);
  expect(device.clock.offsetMs).toBe(5_000);
  device.ping(50, 5_000);
  device.ping(60);
  expect(device.clock.offsetMs).toBe(0);
});
