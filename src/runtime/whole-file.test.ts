/** Small files are complete or absent, and only one process creates one. */

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTempFolder, removeFolder } from '../testing/temp-folder.ts';
import { createFile, replaceFile } from './whole-file.ts';

let folder: string;
beforeEach(() => {
  folder = makeTempFolder();
});
afterEach(() => removeFolder(folder));

test('a file is replaced atomically, is readable by its owner only, and nothing is left beside it', () => {
  const file = join(folder, 'list');
  replaceFile(file, 'a longer first text');
  replaceFile(file, 'second');
  expect(readFileSync(file, 'utf8')).toBe('second');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['list']);
});

test('an existing file is not created again', () => {
  const file = join(folder, 'key');
  expect(createFile(file, 'first')).toBe(true);
  expect(createFile(file, 'second')).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('first');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['key']);
});

test('the partial file of a dead process does not count and blocks nothing', () => {
  const file = join(folder, 'key');
  writeFileSync(`${file}.part`, 'ha');
  writeFileSync(`${file}.${process.pid}.part`, 'ha');
  expect(createFile(file, 'whole')).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe('whole');
  replaceFile(file, 'newer');
  expect(readFileSync(file, 'utf8')).toBe('newer');
});

test('a missing folder is an error, and nothing is created', () => {
  const file = join(folder, 'none', 'key');
  expect(() => createFile(file, 'text')).toThrow('ENOENT');
  expect(() => replaceFile(file, 'text')).toThrow('ENOENT');
  expect(existsSync(join(folder, 'none'))).toBe(false);
});
