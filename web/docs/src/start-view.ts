/** The first chapter: what to know before the first call. */

import type { Call, OpenApi } from './documents.ts';
import { el, link, prose } from './dom.ts';
import { makeJsonSample, makeSample } from './sample-view.ts';
import type { Chapter, Section } from './section.ts';

const KEY = [
  'Every call has the key of the tenant: `Authorization: Bearer mk_live_…` or `mk_test_…`.',
  'Live and test are separate worlds: a test key sees and makes test objects only. What a key may',
  'not see does not exist for it: 404.',
].join(' ');

const ERRORS = [
  'The body of an error is its message and nothing else. For programs the header `X-Error-Code`',
  'names it, and `X-Request-Id` names the request. With `Accept: application/problem+json` it comes',
  'as in RFC 9457.',
].join(' ');

const REPEATS = [
  'Every POST, PUT, PATCH and DELETE takes an `Idempotency-Key`. A repeat within 24 hours has no',
  'second effect and gets the first answer. After a 429 or a 503 wait for `Retry-After` seconds.',
].join(' ');

export function makeStartChapter(
  { info }: OpenApi,
  calls: readonly Call[],
  origin: string,
): Chapter {
  const sections = [
    makeSection(
      'start',
      'First steps',
      [KEY],
      [
        makeSample(
          'curl',
          `export MATCHD_KEY=mk_test_…\ncurl ${origin}/v1/whoami \\\n  -H "Authorization: Bearer $MATCHD_KEY"`,
        ),
      ],
    ),
    makeSection(
      'errors',
      'Errors',
      [ERRORS],
      [makeJsonSample('Answer 400', { error: 'game is required' })],
    ),
    makeSection('repeats', 'Repeats and limits', [REPEATS], []),
  ];
  const description = `${info.description} Version ${info.version}, ${calls.length} calls.`;
  return { title: 'matchd', description, sections };
}

function makeSection(
  id: string,
  title: string,
  words: readonly string[],
  samples: readonly Node[],
): Section {
  const facts = el('div', 'facts', ...words.map((each) => el('p', '', prose(each))));
  const element = el(
    'article',
    '',
    // The page's name is the chapter's own heading.
    el('h2', '', title),
    el('div', 'columns', facts, el('div', 'samples', ...samples)),
  );
  return { id, label: title, badge: null, element };
}

/** Both documents in their original form, for programs. */
export function makeDocumentLinks(): HTMLElement {
  return el(
    'p',
    'documents',
    link('/openapi.json', '', 'openapi.json'),
    link('/asyncapi.json', '', 'asyncapi.json'),
  );
}
