/** Device integrity: what a tenant registers, and challenges for its devices (section 6). */

import * as answers from './integrity-answers.ts';
import * as requests from './integrity-requests.ts';
import type { Route } from './route.ts';

const FIELD_ERRORS = ['body_not_object', 'field_required', 'invalid_choice'] as const;

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
    errors: [...FIELD_ERRORS, 'invalid_field', 'credential_field_required'],
    rights: null,
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
    query: null,
    answers: { 200: { means: 'At most one a platform.', schema: answers.credentialList } },
    errors: [],
    rights: null,
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
    errors: [...FIELD_ERRORS],
    rights: null,
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
    query: null,
    answers: { 200: { means: 'Removed.', schema: answers.credentialRemoved } },
    errors: ['invalid_choice', 'credential_not_found'],
    rights: null,
  },
] as const satisfies readonly Route[];
