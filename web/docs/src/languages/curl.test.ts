/** Lines to copy and values to show, for every call and frame of the published documents. */

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCommonErrors } from '../common-errors.ts';
import type { Call, OpenApi } from '../documents.ts';
import { callsOf } from '../documents.ts';
import { exampleOf } from '../example.ts';
import { makeCurl } from './curl.ts';
import { makeSampleRequest } from './sample-request.ts';

const file = join(import.meta.dirname, '../../../../openapi.json');
const openApi = JSON.parse(readFileSync(file, 'utf8')) as OpenApi;
const { schemas } = openApi.components;
const calls = callsOf(openApi);
const ORIGIN = 'https://a.example';
const lineOf = (call: Call): string => makeCurl(makeSampleRequest(call, schemas, ORIGIN));
const callOf = (id: string): Call => calls.find(({ operation }) => operation.operationId === id)!;

test('[WEB] a curl command has address, key and body', () => {
  expect(lineOf(callOf('createSession'))).toBe(
    [
      'curl -X POST https://a.example/v1/sessions',
      '-H "Authorization: Bearer $MATCHD_KEY"',
      "-H 'Content-Type: application/json'",
      `-d '{"game":"connect4","players":[{"id":"alice","displayName":"Alice"},{"id":"bob"}]}'`,
    ].join(' \\\n  '),
  );
  expect(lineOf(callOf('health'))).toBe('curl https://a.example/healthz');
});

test('[WEB] no command leaves a placeholder in the address, and a shell can parse each', async () => {
  for (const call of calls) {
    const line = lineOf(call);
    expect(line).not.toMatch(/[{}][^'"]*$|\/\{|undefined/m);
    const echoed = Bun.spawnSync(['sh', '-c', line.replace(/^curl/, 'printf "%s\\n"')]);
    expect([line, echoed.exitCode]).toEqual([line, 0]);
    expect(`${echoed.stdout}`).toContain(`https://a.example/`);
  }
});

test('[WEB] quotes in a value stay quotes', () => {
  const call: Call = {
    method: 'POST',
    path: '/x',
    parameters: [],
    answers: [],
    operation: {
      operationId: 'x',
      summary: 'x',
      tags: [],
      security: [],
      parameters: [],
      responses: {},
      requestBody: {
        content: { 'application/json': { schema: { examples: ["it's $HOME"] } } },
      },
    },
  };
  const line = lineOf(call).replace(/^curl/, 'printf "%s\\n"');
  expect(`${Bun.spawnSync(['sh', '-c', line]).stdout}`).toContain('"it\'s $HOME"\n');
});

test('[WEB] the example of every schema has all required fields', () => {
  for (const name of Object.keys(schemas)) {
    const { required = [] } = schemas[name]!;
    const example = Object(exampleOf(schemas[name]!, schemas)) as object;
    const missing = required.filter((field) => !Object.hasOwn(example, field));
    expect([name, missing]).toEqual([name, []]);
  }
  const tree = { type: 'object', required: ['t'], properties: { t: { $ref: '#/c/Tree' } } };
  expect(JSON.stringify(exampleOf(tree, { Tree: tree }))).toContain('{"t":{}}');
});

test('[WEB] errors common to calls are distinguished from those of the call itself', () => {
  const common = makeCommonErrors(calls);
  const create = common(callOf('createSession'));
  expect([...create]).toContain('invalid_api_key');
  expect([...create]).toContain('invalid_json');
  expect([...create]).not.toContain('players_required');
  expect([...common(callOf('getSession'))]).toContain('rate_limited');
  expect([...common(callOf('getSession'))]).not.toContain('invalid_json');
  expect([...common(callOf('health'))]).toEqual([]);
});
