/** The contract against what it describes: lists, bounds, messages, openapi.json. */

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { VERSION } from '../build.ts';
import { GAME_IDS } from '../games/registry.ts';
import { MATCH_TYPES as ASKED, BOT_DIFFICULTIES, MODES } from '../match/record.ts';
import { isOptionError, parseOptions } from '../match/setup.ts';
import { PLAN_NAMES } from '../tenancy/tenant.ts';
import { TEST_SEED } from '../testing/test-seed.ts';
import { makeOpenApi } from './documents/openapi.ts';
import { errorsByStatus } from './documents/openapi-parts.ts';
import { ERRORS, type ErrorCode, HANDSHAKE_ERRORS, makeProblem } from './errors.ts';
import { playerId, quoteName, readField, readFields } from './fields.ts';
import { joinRequest, sessionOptions, sessionRequest } from './requests/requests.ts';
import { ROUTES } from './routes/routes.ts';
import { theme } from './theme.ts';
import {
  DIFFICULTIES,
  EVENT_TYPES,
  GAMES,
  MATCH_TYPES_ASKED,
  PLANS_OFFERED,
  SESSION_MODES,
} from './values.ts';

test('[H4] lists are those of the rules, in their order', () => {
  expect([...GAMES]).toEqual([...GAME_IDS]);
  expect([...SESSION_MODES]).toEqual([...MODES]);
  expect([...MATCH_TYPES_ASKED]).toEqual([...ASKED]);
  expect([...DIFFICULTIES]).toEqual([...BOT_DIFFICULTIES]);
  expect([...PLANS_OFFERED]).toEqual([...PLAN_NAMES]);
});

test('[H4] fields are in the order in which they are checked', () => {
  expect(Object.keys(sessionRequest.shape).join(', ')).toBe(
    'game, mode, players, platform, integrityToken, matchType, variant, seats, options, metadata, theme',
  );
});

test('[S9a] the schema of the options accepts what the rules accept, and refuses what they refuse', () => {
  const { shape } = sessionOptions;
  const odd = fc.constantFrom<unknown>(null, -1, 0.5, '1', true, [], {}, 1e15, undefined);
  const around = (...bounds: number[]) =>
    fc.oneof(odd, fc.constantFrom(...bounds.flatMap((each) => [each - 1, each, each + 1])));
  const anyOptions = fc.record(
    {
      turnTimeoutMs: around(5_000, 1_209_600_000),
      clock: fc.oneof(
        odd,
        fc.record({ initialMs: around(10_000, 1_209_600_000), incrementMs: around(0, 86_400_000) }),
        fc.constant({ initialMs: 60_000, more: 1 }),
      ),
      disconnectGraceMs: around(0, 1_209_600_000),
      afk: fc.oneof(odd, fc.boolean()),
      botDifficulty: fc.oneof(odd, fc.constantFrom(...DIFFICULTIES, 'hopeless')),
    },
    { requiredKeys: [] },
  );
  const rules = { options: {}, turnTimeoutMs: 60_000 };
  fc.assert(
    fc.property(anyOptions, (options) => {
      const isRight = !isOptionError(parseOptions(rules, options));
      expect(sessionOptions.safeParse(options).success).toBe(isRight);
    }),
    { numRuns: 2_000, seed: TEST_SEED },
  );
  expect(Object.keys(shape)).toEqual(
    'turnTimeoutMs clock disconnectGraceMs afk botDifficulty'.split(' '),
  );
});

test('[H2] codes are snake_case, and every one is an error of some route or of all', () => {
  const listed = new Set(ROUTES.flatMap((route) => [...errorsByStatus(route).values()].flat()));
  const everywhere: readonly ErrorCode[] = ['bad_request', 'not_found', ...HANDSHAKE_ERRORS];
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    expect([code, listed.has(code) || everywhere.includes(code)]).toEqual([code, true]);
  }
});

test('[H2] placeholders are replaced as they are', () => {
  const problem = makeProblem('invalid_choice', { field: '$&', valid: '{field}' });
  expect(problem.message).toBe('Invalid $&. Valid: {field}');
});

test('[H4] messages follow the patterns', () => {
  const message = (value: unknown) => {
    const read = readFields(joinRequest, value as object);
    return 'problem' in read ? read.message : null;
  };
  const right = { game: 'ludo', roomCode: 'ABCDEF', player: { id: 'ann' } };
  expect(message(right)).toBeNull();
  expect(message({ ...right, game: undefined })).toBe('game is required');
  expect(message({ ...right, player: { id: null } })).toBe('player.id is required');
  expect(message({ ...right, player: { id: [] } })).toBe('Invalid player.id');
  expect(message({ ...right, mode: 'x' })).toBe('Invalid mode. Valid: live, test, training');
  expect(readField(playerId, '', 'playerId')).toMatchObject({ message: 'Invalid playerId' });
  expect(quoteName('a\u0000b')).toBe('a\uFFFDb');
});

test('[S1] the theme has twelve names', () => {
  expect(Object.keys(theme.shape)).toHaveLength(12);
});

const ROOT = join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const document = JSON.parse(read('openapi.json')) as Document;

interface Answer {
  readonly $ref?: string;
  readonly headers?: object;
  readonly 'x-errors'?: readonly { readonly code: string }[];
}
interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: WebhookCall }>>;
  readonly components: {
    readonly schemas: object;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}
interface Operation {
  readonly security: readonly object[];
  readonly responses: Readonly<Record<string, Answer>>;
}
interface WebhookCall {
  readonly parameters: readonly { readonly $ref: string }[];
  readonly requestBody: {
    readonly content: { readonly 'application/json': { readonly schema: unknown } };
  };
}

test('[H10] openapi.json is up to date with the contract', () => {
  expect(document).toEqual(JSON.parse(JSON.stringify(makeOpenApi(VERSION))));
});

test('[H10] package, SDK, chart and both documents have one version', () => {
  const versions = ['package.json', 'sdk/package.json'].map(
    (file) => JSON.parse(read(file)).version,
  );
  const documents = [document, JSON.parse(read('asyncapi.json'))].map(({ info }) => info.version);
  const [, chart] = /^appVersion: "(.+)"$/m.exec(read('deploy/helm/matchd/Chart.yaml')) ?? [];
  expect([...versions, ...documents, chart]).toEqual(Array(5).fill(VERSION));
});

test('[H10] openapi.json defines each error response once, and every reference can be resolved', () => {
  const text = read('openapi.json');
  expect(text.length).toBeLessThan(440_000);
  for (const ref of new Set(text.match(/"#\/[^"]+"/g)!)) {
    const steps = (JSON.parse(ref) as string).slice(2).split('/');
    const found = steps.reduce<unknown>((at, step) => Reflect.get(Object(at), step), document);
    expect([ref, typeof found]).toEqual([ref, 'object']);
  }
  const inline = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.values(responses))
    .filter((answer) => answer['x-errors'] !== undefined);
  const all = [...inline, ...Object.values(document.components.responses)].map((answer) =>
    JSON.stringify(answer),
  );
  expect(new Set(all).size).toBe(all.length);
});

test('[H10] every call with a key can get a 405, with Allow', () => {
  for (const operation of Object.values(document.paths).flatMap((each) => Object.values(each))) {
    const { $ref = '' } = operation.responses['405'] ?? {};
    const answer = document.components.responses[$ref.slice($ref.lastIndexOf('/') + 1)];
    const isOpen = operation.security.length === 0;
    expect(answer?.['x-errors']?.map(({ code }) => code)).toEqual(
      isOpen ? undefined : ['method_not_allowed'],
    );
    if (!isOpen) expect(Object.keys(answer!.headers!)).toContain('Allow');
  }
});

/** Every key of the schemas, except property names. */
function namesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, below]) =>
    name === 'properties'
      ? [name, ...Object.values(below as object).flatMap(namesIn)]
      : [name, ...namesIn(below)],
  );
}

// Client generators treat a property with a default as always present.
test('[H10] no property of a body has a default: its description states it', () => {
  expect(namesIn(document.components.schemas)).not.toContain('default');
  expect(JSON.stringify(document.components.schemas)).toContain('Default: `matchmaking`.');
});

test('[E2] openapi.json describes the webhook of each event type', () => {
  expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPES]);
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    expect(post.parameters.map(({ $ref }) => $ref.split('/').at(-1))).toEqual([
      'webhookId',
      'webhookTimestamp',
      'webhookSignature',
    ]);
    expect(JSON.stringify(post.requestBody)).toContain(`"type":{"const":"${type}"}`);
  }
});

test('[H10] every route has its own name', () => {
  const names = ROUTES.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
});
