/** The list of games, and the documents that name them. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { gameList } from '../../contract/answers/games-answers.ts';
import { GAMES } from '../../contract/values.ts';
import { SHIPPED_RULES } from '../../games/registry.ts';
import { type Asking, makeAsking } from '../../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../../testing/service/http-service.ts';
import { makeGameDocument } from '../request/document.ts';

let http: HttpService;
let ask: Asking;
beforeAll(async () => {
  http = await openHttpService();
  ask = makeAsking(http.app, await http.makeKey(await http.makeTenant(), 'test'));
});
afterAll(() => http.close());

test('[S9g] every shipped game is listed as it is declared', async () => {
  const { status, json } = await ask('/v1/games');
  expect(status).toBe(200);
  const { data } = gameList.parse(json);
  expect(data.map(({ game }) => game)).toEqual([...GAMES]);
  for (const [index, { game, bot }] of SHIPPED_RULES.entries()) {
    const { versions, ...listed } = data[index]!;
    expect(versions).toEqual([{ rulesVersion: game.rulesVersion, rulesHash: null }]);
    expect(listed).toMatchObject({
      isShipped: true,
      rulesVersion: game.rulesVersion,
      options: game.options as never,
      seats: game.seats,
      turnTimeoutMs: game.turnTimeoutMs,
      ticksPerSecond: game.ticks?.ticksPerSecond ?? null,
      hasBot: bot !== null,
    });
    expect(listed.variants.map(({ name }) => name)).toEqual([...game.variants]);
  }
  const ludo = data.find(({ game }) => game === 'ludo')!;
  expect(ludo.variants.at(-1)).toEqual({ name: 'teams', seats: { min: 4, max: 4 } });
});

test('[S9g] a document lists the loaded games, and is the published one when only shipped games are loaded', () => {
  for (const name of ['openapi', 'asyncapi']) {
    const text = readFileSync(new URL(`../../../${name}.json`, import.meta.url), 'utf8');
    const documentOf = makeGameDocument(text);
    const published = documentOf([...GAMES]);
    expect(published.text).toBe(text);
    expect(documentOf([...GAMES])).toBe(published);
    const own = documentOf([...GAMES, 'pig']);
    expect(own.etag).not.toBe(published.etag);
    const before = JSON.parse(text);
    before.components.schemas.Game.enum.push('pig');
    expect(JSON.parse(own.text)).toEqual(before);
  }
});
