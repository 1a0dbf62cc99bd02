/**
 * The samples of every call in every language: all send the same request, and each language accepts
 * them.
 */

import { afterAll, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMatchd, MatchdError } from '../../../../sdk/src/server/index.ts';
import { makeTempFolder, removeFolder } from '../../../../src/testing/temp-folder.ts';
import { type Call, callsOf, type OpenApi } from '../documents.ts';
import { makeSampleRequest } from './sample-request.ts';
import { PRINTERS } from './samples.ts';
import { SDK_CALLS } from './sdk-calls.ts';

const COMPILE_MS_MAX = 60_000;
const ROOT = join(import.meta.dirname, '../../../..');
const ORIGIN = 'https://a.example';
const openApi = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as OpenApi;
const { schemas } = openApi.components;
const calls = callsOf(openApi);
const samplesOf = (call: Call): ReadonlyMap<string, string> => {
  const request = makeSampleRequest(call, schemas, ORIGIN);
  return new Map(
    [...PRINTERS].map(([language, print]) => [language, print(request, call, schemas, ORIGIN)]),
  );
};
const callOf = (id: string): Call => calls.find(({ operation }) => operation.operationId === id)!;

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

/** The request of a sample. Without a body a write sends an empty one. */
interface Asked {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

const wanted = calls.map((call): Asked => {
  const { method, url, body } = makeSampleRequest(call, schemas, ORIGIN);
  const id = call.operation.operationId;
  return { id, method, url, body: method === 'GET' ? null : (body ?? {}) };
});

test('[H10] every call has a sample in four languages, each with its address', () => {
  expect(calls.length).toBeGreaterThan(50);
  for (const call of calls) {
    const samples = samplesOf(call);
    expect([...samples.keys()]).toEqual(['sh', 'ts', 'py', 'go']);
    for (const text of samples.values()) expect(text).toContain(ORIGIN);
  }
  const ids = calls.map(({ operation }) => operation.operationId);
  expect(Object.keys(SDK_CALLS).filter((id) => !ids.includes(id))).toEqual([]);
});

test('[H10] samples in TypeScript send the same requests as the others', async () => {
  const transpiler = new Bun.Transpiler({ loader: 'ts' });
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (...args: unknown[]) => Promise<void>;
  const asked: Asked[] = [];
  for (const call of calls) {
    const id = call.operation.operationId;
    const fetch = (url: string, { method = '', body }: RequestInit): Promise<Response> => {
      asked.push({ id, method, url, body: body == null ? null : JSON.parse(String(body)) });
      // A refusal ends lists and streams, too.
      return Promise.resolve(new Response('{"error":"Invalid API key"}', { status: 401 }));
    };
    const make = ({ url, key }: { url: string; key: string }) => createMatchd({ url, key, fetch });
    const code = transpiler.transformSync(
      samplesOf(call)
        .get('ts')!
        .replace(/^import.*$/m, ''),
    );
    const run = new AsyncFunction('createMatchd', 'process', code);
    const error: unknown = await run(make, { env: { MATCHD_KEY: 'mk_test_x' } }).catch(
      (reason: unknown) => reason,
    );
    expect([id, error]).toEqual([id, expect.any(MatchdError)]);
  }
  expect(asked).toEqual(wanted);
});

test(
  '[H10] samples in TypeScript compile',
  () => {
    const files = calls.map((call) => {
      const file = join(folder, `${call.operation.operationId}.mts`);
      const sdk = JSON.stringify(join(ROOT, 'sdk/src/server/index.ts'));
      writeFileSync(file, samplesOf(call).get('ts')!.replace("'@matchd/sdk'", sdk));
      return file;
    });
    const config = join(folder, 'tsconfig.json');
    const compilerOptions = {
      noEmit: true,
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
      noPropertyAccessFromIndexSignature: false,
    };
    const base = join(ROOT, 'tsconfig.json');
    writeFileSync(config, JSON.stringify({ extends: base, compilerOptions, include: [], files }));
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { status, stdout } = spawnSync('node', [compiler, '-p', config], { encoding: 'utf8' });
    expect([stdout, status]).toEqual(['', 0]);
  },
  COMPILE_MS_MAX,
);

/** A stub of the library, as far as the samples use it: it notes the requests. */
const REQUESTS = `
asked = []

class Answer:
    def raise_for_status(self): pass
    def json(self): return {}
    def iter_lines(self, decode_unicode=False): return []

def note(method):
    def ask(url, headers={}, json=None, stream=False):
        body = None if method == "GET" else ({} if json is None else json)
        asked.append({"method": method, "url": url, "body": body,
                      "key": headers.get("Authorization"), "stream": stream})
        return Answer()
    return ask

get, post, put, patch, delete = map(note, ["GET", "POST", "PUT", "PATCH", "DELETE"])
`;

const RUNNER = `
import contextlib, io, json, sys
import requests
for sample in json.load(open(sys.argv[1], encoding="utf-8")):
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(sample, "sample", "exec"), {})
print(json.dumps(requests.asked))
`;

const python = Bun.which('python3');

test.skipIf(python === null)(
  '[H10] samples in Python send the same requests, with the key',
  () => {
    const file = join(folder, 'samples.json');
    writeFileSync(join(folder, 'requests.py'), REQUESTS);
    writeFileSync(join(folder, 'run.py'), RUNNER);
    writeFileSync(file, JSON.stringify(calls.map((call) => samplesOf(call).get('py'))));
    const { stdout, stderr } = spawnSync(python!, [join(folder, 'run.py'), file], {
      encoding: 'utf8',
      env: { ...process.env, MATCHD_KEY: 'mk_test_x', PYTHONUTF8: '1' },
    });
    expect(stderr).toBe('');
    const keyed = wanted.map(({ id, ...asked }) => ({
      ...asked,
      key: callOf(id).operation.security.length > 0 ? 'Bearer mk_test_x' : null,
      stream: id.startsWith('stream'),
    }));
    expect(JSON.parse(stdout)).toEqual(keyed);
  },
  COMPILE_MS_MAX,
);

test('[H10] a sample in Python is idiomatic', () => {
  expect(samplesOf(callOf('createSession')).get('py')).toBe(`import os

import requests

response = requests.post(
    "https://a.example/v1/sessions",
    headers={"Authorization": f"Bearer {os.environ['MATCHD_KEY']}"},
    json={
        "game": "connect4",
        "players": [
            {"id": "alice", "displayName": "Alice"},
            {"id": "bob"},
        ],
    },
)
response.raise_for_status()
print(response.json())`);
});

test('[H10] a sample in Go has method, address, key and body', () => {
  expect(samplesOf(callOf('endSession')).get('go')).toBe(`package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	body := strings.NewReader(\`{}\`)
	request, err := http.NewRequest("POST", "https://a.example/v1/sessions/ses_01kafw3q9t5ne8rz2m4xbcd7hj/end", body)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("MATCHD_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	log.Println(response.Status)
	if _, err := io.Copy(os.Stdout, response.Body); err != nil {
		log.Fatal(err)
	}
}`);
});

const gofmt = Bun.which('gofmt');

test.skipIf(gofmt === null)('[H10] samples in Go are formatted as by gofmt', () => {
  const files = calls.map((call) => {
    const file = join(folder, `${call.operation.operationId}.go`);
    writeFileSync(file, `${samplesOf(call).get('go')}\n`);
    return file;
  });
  const { stdout, stderr } = spawnSync(gofmt!, ['-l', ...files], { encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['', '']);
});

const go = Bun.which('go');

test.skipIf(go === null)(
  '[H10] samples in Go compile',
  () => {
    const place = join(folder, 'go');
    mkdirSync(place);
    writeFileSync(join(place, 'go.mod'), 'module samples\n\ngo 1.19\n');
    for (const call of calls) {
      const { operationId } = call.operation;
      // One package for all: each program becomes a function.
      const text = samplesOf(call)
        .get('go')!
        .replace('package main', 'package samples')
        .replace('func main()', `func ${operationId}()`);
      expect(text).toContain(`func ${operationId}()`);
      writeFileSync(join(place, `${operationId}.go`), text);
    }
    const { stdout, stderr, status } = spawnSync(go!, ['build', './...'], {
      cwd: place,
      encoding: 'utf8',
    });
    expect([stdout, stderr, status]).toEqual(['', '', 0]);
  },
  4 * COMPILE_MS_MAX,
);
