// [crash] What is kept of a match: a file with a line for each record.

import { readFileSync } from 'node:fs';

const CODE = /^[2-9A-Z]{6}$/;

export function fileOf(code) {
  if (!CODE.test(code)) throw new Error('There is no such match');
  return `${process.env.DATA_DIR}/${code}.jsonl`;
}

export function recordsOf(code) {
  // A last line without an end was cut off by a crash: nobody was told of it.
  const lines = readFileSync(fileOf(code), 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}
