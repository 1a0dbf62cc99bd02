/** A package names where it comes from, and never a folder or a password. */

import { expect, test } from 'bun:test';
import { repositoryUrl } from './repository-url.ts';

test.each([
  ['https://example.com/games/matchd.git', 'git+https://example.com/games/matchd.git'],
  ['https://example.com/games/matchd/', 'git+https://example.com/games/matchd.git'],
  ['https://ann:secret@example.com/matchd', 'git+https://example.com/matchd.git'],
  ['git@example.com:games/matchd.git', 'git+https://example.com/games/matchd.git'],
  ['ssh://git@example.com/games/matchd.git', 'git+https://example.com/games/matchd.git'],
  ['/srv/matchd', null],
  ['../matchd', null],
  ['file:///srv/matchd', null],
  ['', null],
] as const)('[SETUP] the repository of a clone of %p is %p', (remote, expected) => {
  expect(repositoryUrl(remote)).toBe(expected);
});
