/** A call in Go, by its standard library. */

import { formatJson } from '../json-text.ts';
import type { SampleRequest } from './sample-request.ts';

export function makeGo({ method, url, needsKey, body }: SampleRequest): string {
  const hasBody = body !== undefined;
  const imports = ['io', 'log', 'net/http', 'os', ...(hasBody ? ['strings'] : [])];
  const lines = [
    ...(hasBody ? [`body := strings.NewReader(${printBody(body)})`] : []),
    `request, err := http.NewRequest(${print(method)}, ${print(url)}, ${hasBody ? 'body' : 'nil'})`,
    ...FAIL,
    ...(needsKey ? ['request.Header.Set("Authorization", "Bearer "+os.Getenv("MATCHD_KEY"))'] : []),
    ...(hasBody ? ['request.Header.Set("Content-Type", "application/json")'] : []),
    'response, err := http.DefaultClient.Do(request)',
    ...FAIL,
    'defer response.Body.Close()',
    'log.Println(response.Status)',
    'if _, err := io.Copy(os.Stdout, response.Body); err != nil {',
    '\tlog.Fatal(err)',
    '}',
  ];
  return [
    'package main',
    '',
    'import (',
    ...imports.map((name) => `\t${print(name)}`),
    ')',
    '',
    'func main() {',
    ...lines.map((line) => `\t${line}`),
    '}',
  ].join('\n');
}

const FAIL = ['if err != nil {', '\tlog.Fatal(err)', '}'];

const print = (text: string): string => JSON.stringify(text);

/** Unchanged between backticks, unless it contains one itself. */
function printBody(body: unknown): string {
  const text = formatJson(body);
  return text.includes('`') ? print(JSON.stringify(body)) : `\`${text}\``;
}
