/** A tenant's settings for one of its modes (rule K9). */

import { z } from 'zod';
import { REMATCH_MAKERS } from '../values.ts';
import { FIELD_ERRORS, type Route } from './route.ts';

const rematch = z.enum(REMATCH_MAKERS).meta({
  description:
    'What happens when the players agree on a rematch. `announce`: an event is sent, and the backend creates it. `create`: the service creates it. `off`: players cannot offer a rematch.',
});

const settings = z.strictObject({ rematch }).meta({ id: 'Settings' });

/** An absent field is unchanged. */
export const settingsChange = z
  .object({ rematch: rematch.nullish() })
  .meta({ id: 'SettingsChange' });

const OWN = "Settings apply to the key's mode.";

export const settingsRoutes = [
  {
    method: 'GET',
    path: '/v1/settings',
    operationId: 'getSettings',
    scopes: ['read', 'admin'],
    tag: 'Settings',
    summary: 'Retrieve the settings',
    auth: 'key',
    body: null,
    query: null,
    answers: { 200: { means: 'The settings.', schema: settings } },
    errors: [],
    rights: OWN,
  },
  {
    method: 'PATCH',
    path: '/v1/settings',
    operationId: 'updateSettings',
    scopes: ['admin'],
    tag: 'Settings',
    summary: 'Update the settings',
    auth: 'key',
    body: settingsChange,
    query: null,
    answers: { 200: { means: 'The updated settings.', schema: settings } },
    errors: FIELD_ERRORS,
    rights: OWN,
  },
] as const satisfies readonly Route[];
