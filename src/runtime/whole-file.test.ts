/** Shows that small files are there whole or not at all, and that only one process makes one. */

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

test('a file is replaced whole, is its owner’s alone, and nothing is left beside it', () => {
  const file = join(folder, 'list');
  replaceFile(file, 'a longer first text');
  replaceFile(file, 'second');
  expect(readFileSync(file, 'utf8')).toBe('second');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['list']);
});

test('a file that is there is not made again', () => {
  const file = join(folder, 'key');
  expect(createFile(file, 'first')).toBe(true);
  expect(createFile(file, 'second')).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('first');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['key']);
});

test('what a process that died left half written is no file, and is in nobody’s way', () => {
  const file = join(folder, 'key');
  writeFileSync(`${file}.part`, 'ha');
  writeFileSync(`${file}.${process.pid}.part`, 'ha');
  expect(createFile(file, 'whole')).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe('whole');
  replaceFile(file, 'newer');
  expect(readFileSync(file, 'utf8')).toBe('newer');
});

test('a folder that is not there is an error, and nothing is made', () => {
  const file = join(folder, 'none', 'key');
  expect(() => createFile(file, 'text')).toThrow('ENOENT');
  expect(() => replaceFile(file, 'text')).toThrow('ENOENT');
  expect(existsSync(join(folder, 'none'))).toBe(false);
});
