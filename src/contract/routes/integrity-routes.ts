/** Device integrity: a tenant's credentials, and challenges for its devices (section 6). */

import * as answers from '../answers/integrity-answers.ts';
import * as requests from '../requests/integrity-requests.ts';
import type { Route } from './route.ts';

const FIELD_ERRORS = ['body_not_object', 'field_required', 'invalid_choice'] as const;
const READS_BOTH = 'Newest first. A test key reads live credentials, too. A live key reads both.';
const CHANGES_OWN = 'A test key changes test mode only, a live key both modes.';

export const integrityRoutes = [
  {
    method: 'PUT',
    path: '/v1/integrity',
    operationId: 'putIntegrity',
    scopes: ['admin'],
    tag: 'Integrity',
    summary: "Create or replace a platform's credential",
    auth: 'key',
    body: requests.integrityRequest,
    query: null,
    answers: { 200: { means: 'The registered credential.', schema: answers.credential } },
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
    summary: 'List credentials',
    auth: 'key',
    body: null,
    query: requests.integrityQuery,
    answers: { 200: { means: 'At most one for each platform.', schema: answers.credentialList } },
    errors: ['invalid_field', 'invalid_choice'],
    rights: READS_BOTH,
  },
  {
    method: 'POST',
    path: '/v1/integrity/challenge',
    operationId: 'makeChallenge',
    scopes: ['sessions', 'matchmaking', 'players'],
    tag: 'Integrity',
    summary: 'Create a challenge for a device',
    auth: 'key',
    body: requests.challengeRequest,
    query: null,
    answers: {
      201: {
        means: 'The challenge. It can be used once, within five minutes.',
        schema: answers.challenge,
      },
    },
    errors: [...FIELD_ERRORS, 'test_key_live_integrity'],
    rights: CHANGES_OWN,
  },
  {
    method: 'DELETE',
    path: '/v1/integrity/:platform',
    operationId: 'removeIntegrity',
    scopes: ['admin'],
    tag: 'Integrity',
    summary: "Delete a platform's credential",
    auth: 'key',
    body: null,
    query: requests.integrityQuery,
    answers: { 200: { means: 'Removed.', schema: answers.credentialRemoved } },
    errors: ['invalid_field', 'invalid_choice', 'test_key_live_integrity', 'credential_not_found'],
    rights: CHANGES_OWN,
  },
] as const satisfies readonly Route[];
