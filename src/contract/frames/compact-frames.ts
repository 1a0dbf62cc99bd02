/** The compact frames of `matchd.v2` (rule P12), as schemas: tests check every frame against them. */

import { z } from 'zod';
import { commandId } from '../messages.ts';
import { stateFrame } from './server-frames.ts';

const whole = z.int().min(0);
const n = whole.meta({ description: "The session's number on this socket." });
const seat = whole;
const ms = z.int().meta({ description: 'Milliseconds since `base`.' });
const change = z.unknown().meta({
  description:
    'A change: a new value, plain or as `[value]`; `[start, removed, ...added]` of a list, or several of these in a list; or changes by field. `{}` is no change.',
});
const clock = z
  .tuple([
    z.array(z.number()).meta({ description: '`remainingMs`' }),
    seat.nullable().meta({ description: '`running`' }),
    ms.nullable().meta({ description: '`flagsAt`' }),
  ])
  .meta({ description: '`clock`, if the session has one.' });
const prev = whole.meta({ description: '`prev`, if it is not `v` - 1.' });

/** `state` of `matchd.v1`, with what the session's compact frames need. */
export const numberedState = stateFrame.extend({
  base: z.int().meta({ description: 'When the session was created, in milliseconds since 1970.' }),
  n,
});

/** `update`, as a change. */
export const compactUpdate = z.tuple(
  [
    n,
    whole.meta({ description: '`v`' }),
    ms.meta({ description: '`at`' }),
    seat.meta({ description: '`seat`' }),
    z.unknown().meta({ description: '`action`' }),
    seat.nullable().meta({ description: '`turn`' }),
    ms.nullable().meta({ description: '`deadline`' }),
    change.meta({ description: 'Change of `view`' }),
    change.meta({ description: 'Change of `legal`' }),
  ],
  z.union([
    clock,
    prev,
    commandId.meta({ description: 'The id of the acknowledged command. Only for its sender.' }),
  ]),
);

/** `over`, with seats in place of players. */
export const compactOver = z.tuple(
  [
    n,
    z.literal('over'),
    whole.meta({ description: '`v`' }),
    ms.meta({ description: '`at`' }),
    z.string().meta({ description: "The result's `reason`" }),
    z.array(seat).meta({ description: 'Seats that won' }),
    z.array(z.int().min(1)).meta({ description: 'Places by seat' }),
    whole.meta({ description: '`durationMs`' }),
    whole.meta({ description: '`moveCount`' }),
  ],
  z.union([
    z
      .record(z.string(), z.unknown())
      .meta({ description: 'Fields that the game adds to the result.' }),
    prev,
  ]),
);

/** `ticks` of fight-arena. */
export const compactTicks = z.tuple(
  [
    n,
    z.literal('ticks'),
    whole.meta({ description: '`from`' }),
    z.array(z.array(whole)).meta({ description: '`inputs`' }),
    whole.meta({ description: '`committed`' }),
  ],
  z.string().meta({ description: '`hash`' }),
);

/** `act` */
export const compactAct = z.tuple([n, commandId, z.unknown().meta({ description: '`action`' })]);

/** `in` of fight-arena. */
export const compactIn = z.tuple([
  n,
  whole.meta({ description: '`from`' }),
  z.array(z.number()).meta({ description: '`masks`' }),
]);

/** Everything that the server sends as a list. */
export const compactFrame = z.union([compactOver, compactTicks, compactUpdate]);

/** The compact frames of `matchd.v2`, by the name of the frame they shorten. */
export const COMPACT = {
  act: compactAct,
  in: compactIn,
  state: numberedState,
  update: compactUpdate,
  over: compactOver,
  ticks: compactTicks,
} as const;
export type CompactName = keyof typeof COMPACT;
