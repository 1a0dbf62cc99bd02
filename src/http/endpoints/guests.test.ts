/** Training leaves nothing behind. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { sweepSessions } from '../../runtime/sweeper.ts';
import {
  type HttpService,
  openHttpService,
  PUBLIC_URL,
} from '../../testing/service/http-service.ts';

let world: HttpService;
beforeAll(async () => {
  world = await openHttpService();
});
afterAll(() => world.close());

test('[R1] guests of training are removed with their sessions', async () => {
  const tenant = await world.makeTenant({ plan: 'starter' });
  const key = await world.makeKey(tenant, 'test');
  const ask = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await world.app.fetch(new Request(PUBLIC_URL + path, init), {
      address: '203.0.113.7',
    });
    return { status: response.status, json: (await response.json()) as { sessionId: string } };
  };
  for (let i = 0; i < 5; i++) {
    const made = await ask('/v1/sessions', { game: 'tictactoe', mode: 'training' });
    expect(made.status).toBe(201);
    expect((await ask(`/v1/sessions/${made.json.sessionId}/end`, {})).status).toBe(200);
  }
  world.clock.advance(8 * 86_400_000);
  expect(await sweepSessions(world.store, world.clock)).toBe(5);
  const left = (await world.texts()).filter((text) => text.startsWith('guest:'));
  expect(left).toEqual([]);
});
