/** Schemas of responses about games. */

import { z } from 'zod';
import { game } from '../fields.ts';

const count = z.int().min(0);
const seats = z.int().min(1);
const range = { min: seats, max: seats };
const time = z.iso.datetime({ precision: 3 });
const hash = z.string().nullable().meta({
  description: "Hash of an operator's sources; null for a shipped game.",
});

const optionSpec = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('integer'),
      min: z.int(),
      max: z.int(),
      default: z.int(),
    }),
    z.strictObject({ kind: z.literal('boolean'), default: z.boolean() }),
    z.strictObject({
      kind: z.literal('choice'),
      values: z.array(z.union([z.string(), z.boolean()])),
      default: z.union([z.string(), z.boolean()]),
    }),
  ])
  .meta({ id: 'OptionSpec', description: 'The allowed values of an option, and its default.' });

const gameInfo = z
  .strictObject({
    game,
    isShipped: z.boolean().meta({ description: "False for an operator's own game." }),
    rulesVersion: count.meta({ description: 'The rules version of new sessions.' }),
    rulesHash: hash,
    versions: z.array(z.strictObject({ rulesVersion: count, rulesHash: hash })).meta({
      description: 'All loaded rules. New sessions use the last.',
    }),
    seats: z.strictObject({ ...range, default: seats }),
    variants: z.array(z.strictObject({ name: z.string(), seats: z.strictObject(range) })).meta({
      description: 'The first is the default.',
    }),
    options: z.record(z.string(), optionSpec).meta({
      description: 'Options of this game, without those common to all games.',
    }),
    turnTimeoutMs: count.meta({ description: 'The default turn time.' }),
    ticksPerSecond: count.nullable().meta({
      description: 'Null for a turn-based game.',
    }),
    isSimultaneous: z
      .boolean()
      .meta({ description: 'Whether several seats move at the same time.' }),
    openInformation: z.boolean().meta({ description: 'Whether all players see the whole state.' }),
    drawOffers: z.boolean(),
    hasBot: z.boolean().meta({ description: 'Whether the service has a bot for the game.' }),
    slowCalls: z.strictObject({ count, longestMs: count, lastAt: time }).nullable().meta({
      description:
        "Calls of an operator's rules over 50 ms in the last hour, on the node that answers; null if there were none.",
    }),
  })
  .meta({ id: 'GameInfo' });

export const gameList = z
  .strictObject({ data: z.array(gameInfo) })
  .meta({ id: 'GameList', description: 'Shipped games first.' });
