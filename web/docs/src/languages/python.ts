/** A call in Python, with the usual library: requests. */

import { formatValue, type ValueStyle } from '../json-text.ts';
import type { SampleRequest } from './sample-request.ts';

const STEP = '    ';

/** A JSON string is also a Python string. */
const STYLE: ValueStyle = {
  scalar: (value) =>
    typeof value === 'boolean'
      ? value
        ? 'True'
        : 'False'
      : value === null
        ? 'None'
        : print(value),
  key: (name) => print(name),
  indent: STEP,
  pad: '',
  last: ',',
};

const print = (value: unknown): string => JSON.stringify(value);

export function makePython({ method, url, needsKey, body, isStream }: SampleRequest): string {
  const options = [
    print(url),
    needsKey ? `headers={"Authorization": f"Bearer {os.environ['MATCHD_KEY']}"}` : null,
    body === undefined ? null : `json=${formatValue(body, STYLE, STEP)}`,
    isStream ? 'stream=True' : null,
  ].filter((each) => each !== null);
  const answer = isStream
    ? ['for line in response.iter_lines(decode_unicode=True):', `${STEP}print(line)`]
    : ['print(response.json())'];
  return [
    ...(needsKey ? ['import os', ''] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    ...options.map((each) => `${STEP}${each},`),
    ')',
    'response.raise_for_status()',
    ...answer,
  ].join('\n');
}
