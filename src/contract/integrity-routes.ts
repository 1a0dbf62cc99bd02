/** Device integrity: what a tenant registers, and challenges for its devices (section 6). */

import * as answers from './integrity-answers.ts';
import * as requests from './integrity-requests.ts';
import type { Route } from './route.ts';

const FIELD_ERRORS = ['body_not_object', 'field_required', 'invalid_choice'] as const;
const READS_BOTH = 'A test key reads live credentials, too. A live key reads both.';
const CHANGES_OWN = 'A test key changes what is of test mode only; a live key both.';

export const integrityRoutes = [
  {
    method: 'PUT',
    path: '/v1/integrity',
    operationId: 'putIntegrity',
    scopes: ['admin'],
    tag: 'Integrity',
    summary: 'Register the credential of a platform, or replace it',
    auth: 'key',
    body: requests.integrityRequest,
    query: null,
    answers: { 200: { means: 'The credential as it is registered.', schema: answers.credential } },
    errors: [
      ...FIELD_ERRORS,
      'invalid_field',
      'credential_field_required',
      'test_key_live_integrity',
    ],
    rights: CHANGES_OWN,
  },
  {
    method: 'GET',
    path: '/v1/integrity',
    operationId: 'listIntegrity',
    scopes: ['read', 'admin'],
    tag: 'Integrity',
    summary: 'The registered credentials, the newest first',
    auth: 'key',
    body: null,
    query: requests.integrityQuery,
    answers: { 200: { means: 'At most one a platform.', schema: answers.credentialList } },
    errors: ['invalid_field', 'invalid_choice'],
    rights: READS_BOTH,
  },
  {
    method: 'POST',
    path: '/v1/integrity/challenge',
    operationId: 'makeChallenge',
    scopes: ['sessions', 'matchmaking', 'players'],
    tag: 'Integrity',
    summary: 'A challenge for one device, used once and within five minutes',
    auth: 'key',
    body: requests.challengeRequest,
    query: null,
    answers: { 201: { means: 'The challenge.', schema: answers.challenge } },
    errors: [...FIELD_ERRORS, 'test_key_live_integrity'],
    rights: CHANGES_OWN,
  },
  {
    method: 'DELETE',
    path: '/v1/integrity/:platform',
    operationId: 'removeIntegrity',
    scopes: ['admin'],
    tag: 'Integrity',
    summary: 'Remove the credential of a platform: its devices are no longer checked',
    auth: 'key',
    body: null,
    query: requests.integrityQuery,
    answers: { 200: { means: 'Removed.', schema: answers.credentialRemoved } },
    errors: ['invalid_field', 'invalid_choice', 'test_key_live_integrity', 'credential_not_found'],
    rights: CHANGES_OWN,
  },
] as const satisfies readonly Route[];
