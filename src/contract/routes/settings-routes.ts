/** A tenant's settings for one of its modes (rule K9). */

import { z } from 'zod';
import { REMATCH_MAKERS } from '../values.ts';
import { FIELD_ERRORS, type Route } from './route.ts';

const rematch = z.enum(REMATCH_MAKERS).meta({
  description:
    'Who makes the rematch that the players agree on: `announce` tells the backend by an event, `create` has the service make it. `off`: players are offered none.',
});

const settings = z.strictObject({ rematch }).meta({ id: 'Settings' });

/** An absent field is unchanged. */
export const settingsChange = z
  .object({ rematch: rematch.nullish() })
  .meta({ id: 'SettingsChange' });

const OWN = "The settings are those of the key's own mode.";

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
    answers: { 200: { means: 'The settings as they are now.', schema: settings } },
    errors: FIELD_ERRORS,
    rights: OWN,
  },
] as const satisfies readonly Route[];
