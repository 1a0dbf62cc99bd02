/** Schemas of requests to the event log. */

import { z } from 'zod';
import { shortText } from '../fields.ts';
import { EVENT_TYPES, KEY_MODES } from '../values.ts';

const PAGE_MAX = 100;
const ID_CHARS_MAX = 64;
const TYPES_CHARS_MAX = 1_000;

const after = shortText(1, ID_CHARS_MAX).optional();
/** Names separated by commas. */
const types = shortText(1, TYPES_CHARS_MAX)
  .superRefine((text, check) => {
    const known: readonly string[] = EVENT_TYPES;
    if (text.split(',').every((name) => known.includes(name))) return;
    check.addIssue({ code: 'invalid_value', values: [...EVENT_TYPES], input: text });
  })
  .optional()
  .meta({
    description: 'Only events of these types, separated by commas.',
    examples: ['session.ended,session.expired'],
  });
const mode = z
  .enum(KEY_MODES)
  .optional()
  .meta({ description: "Only events of this mode. Defaults to the key's mode." });

export const eventQuery = z.object({
  after: after.meta({ description: 'Only events after the one with this id.' }),
  types,
  sessionId: shortText(1, ID_CHARS_MAX)
    .optional()
    .meta({ description: 'Only events of this session.' }),
  mode,
  limit: z.int().min(1).max(PAGE_MAX).optional().meta({
    description: 'The maximum number of items on a page.',
    default: 25,
  }),
  cursor: after.meta({
    description: '`nextCursor` of the previous page. Takes precedence over `after`.',
  }),
});

export const eventStreamQuery = z.object({
  after: after.meta({
    description: 'Start after the event with this id. The header `Last-Event-ID` takes precedence.',
  }),
  types,
  mode,
});
