/** Schemas of responses about games. */

import { z } from 'zod';
import { game } from '../fields.ts';

const count = z.int().min(0);
const seats = z.int().min(1);
const range = { min: seats, max: seats };
const time = z.iso.datetime({ precision: 3 });
const hash = z.string().nullable().meta({
  description: "Hash of the sources, of an operator's game; null of a shipped one.",
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
  .meta({ id: 'OptionSpec', description: 'What an option may be, and what it is by default.' });

const gameInfo = z
  .strictObject({
    game,
    isShipped: z.boolean().meta({ description: "False for an operator's own game." }),
    rulesVersion: count.meta({ description: 'Of the rules that new sessions take.' }),
    rulesHash: hash,
    versions: z.array(z.strictObject({ rulesVersion: count, rulesHash: hash })).meta({
      description: 'All rules that are loaded; the last are those of new sessions.',
    }),
    seats: z.strictObject({ ...range, default: seats }),
    variants: z.array(z.strictObject({ name: z.string(), seats: z.strictObject(range) })).meta({
      description: 'The first is the default.',
    }),
    options: z.record(z.string(), optionSpec).meta({
      description: "The game's own options; those of every game are not among them.",
    }),
    turnTimeoutMs: count.meta({ description: 'Where a session names none.' }),
    ticksPerSecond: count.nullable().meta({
      description: 'Of a game that runs by the clock; null for a game of turns.',
    }),
    isSimultaneous: z.boolean().meta({ description: 'Several seats act at the same time.' }),
    openInformation: z.boolean().meta({ description: 'All players see the same.' }),
    drawOffers: z.boolean(),
    hasBot: z.boolean().meta({ description: 'The service can play its seats.' }),
    slowCalls: z.strictObject({ count, longestMs: count, lastAt: time }).nullable().meta({
      description:
        "Calls of an operator's rules that took longer than 50 ms, on the server that answers; null when the last hour had none.",
    }),
  })
  .meta({ id: 'GameInfo' });

export const gameList = z
  .strictObject({ data: z.array(gameInfo) })
  .meta({ id: 'GameList', description: 'Shipped games first.' });
