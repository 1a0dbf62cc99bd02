/** The schemas of each game's `view`: the SDK's types are made of them. */

import { z } from 'zod';
import type { GameId } from '../../game/src/game.ts';
import { MOVE_NAMES } from '../../src/games/fight-arena/moves.ts';
import { ACTS, PHASES, ROUND_ENDS } from '../../src/games/fight-arena/state.ts';
import { CHOICES } from '../../src/games/pool/action.ts';
import { POCKETS } from '../../src/games/pool/physics/table.ts';
import { CUSHIONS } from '../../src/games/pool/physics/walls.ts';
import { CALL_RULES, FOULS, GROUPS } from '../../src/games/pool/state.ts';

const described = <T extends z.ZodType>(schema: T, description: string): T =>
  schema.meta({ description });
const seat = z.int().min(0);
const cells = <T extends z.ZodType>(cell: T) => z.array(cell);

const tictactoe = z.strictObject({
  board: described(
    cells(z.enum(['X', 'O']).nullable()),
    'The nine cells in row order, row 0 at the top; null is empty.',
  ),
});

const connect4 = z.strictObject({
  board: described(
    cells(z.enum(['red', 'yellow']).nullable()),
    'The 42 cells in row order, row 0 at the top; null is empty.',
  ),
});

const piece = z
  .strictObject({
    seat: described(seat, 'Whose it is.'),
    king: z.boolean(),
  })
  .meta({ id: 'CheckersPiece' });

const checkers = z.strictObject({
  board: described(
    cells(piece.nullable()),
    'The cells in row order, row 0 at the top, light ones too: 64, or 100 in `international`.',
  ),
  mustCapture: described(z.boolean(), 'The seat to move has to capture.'),
});

const place = (description: string) =>
  described(
    z.string(),
    `${description}: \`yard\`, \`track 17\`, \`home 1\` to \`home 5\`, \`done\`.`,
  );

const ludoStep = z
  .strictObject({
    seat,
    die: z.int().min(1).max(6),
    token: described(
      z.int().min(0).max(3).nullable(),
      'The token that moved; null when none could.',
    ),
    from: place('Where from; null when nothing moved').nullable(),
    to: place('Where to').nullable(),
    captured: described(
      z.array(z.strictObject({ seat, token: z.int().min(0).max(3) })),
      'Tokens sent back to their yards.',
    ),
    void: described(z.boolean(), 'The third six in a row.'),
  })
  .meta({ id: 'LudoStep' });

const ludo = z.strictObject({
  tokens: described(
    z.array(z.array(z.string())),
    'Places by seat and token: `yard`, `track 17`, `home 1` to `home 5`, `done`.',
  ),
  die: described(z.int().min(1).max(6).nullable(), 'The roll that waits for a token.'),
  sixes: described(z.int().min(0), 'Sixes rolled in a row in this turn.'),
  last: described(z.array(ludoStep), 'What the last input did, roll by roll.'),
  home: described(z.array(seat), 'Seats that have got home, the first first.'),
  out: described(z.array(seat), 'Seats that are out, in the order in which they went.'),
  missed: described(z.array(z.int().min(0)), 'Turns missed in a row, by seat.'),
  hasCaptured: described(
    z.array(z.boolean()).nullable(),
    'By seat; null unless `captureBeforeHome` is set.',
  ),
  scores: described(z.array(z.int()).nullable(), 'Points by seat; null unless `timed`.'),
});

const ball = z
  .strictObject({
    n: described(z.int().min(0).max(15), 'The number on it; 0 is the cue ball.'),
    x: described(z.number(), 'From the middle of the table towards the foot, m.'),
    y: described(z.number(), 'From the middle of the table to the left, m.'),
  })
  .meta({ id: 'PoolBall' });
const pocket = z.enum(POCKETS);
const called = z.strictObject({ ball: z.int().min(1).max(15), pocket });
const us = (what: string) => described(z.int(), `${what}, whole microseconds after the strike.`);

const motion = z
  .strictObject({
    duration: us('When nothing travels any more'),
    paths: described(
      z.array(z.array(z.int())),
      'A ball each: `ball, t, x, y`, then `dt, cx, cy, dx, dy` for each piece, a quadratic Bézier curve ' +
        'from where it begins. Times in µs, lengths in hundredths of a millimetre.',
    ),
    contacts: described(
      z.array(z.tuple([z.int(), z.int(), z.int()])),
      'When two balls met: time in µs, ball, ball.',
    ),
    cushions: described(
      z.array(z.tuple([z.int(), z.int(), z.enum([...CUSHIONS, ...POCKETS])])),
      'When a ball met a cushion or a jaw: time in µs, ball, which.',
    ),
  })
  .meta({ id: 'PoolMotion' });

const strike = z.strictObject({
  aim: described(z.number(), 'Direction from above, radians: 0 towards the foot, turning left.'),
  speed: described(z.number(), 'Of the ball, m/s.'),
  side: described(z.number(), 'Where the tip met the ball, m right of its middle.'),
  follow: described(z.number(), 'The same, m above it.'),
  elevation: described(z.number(), 'How far the butt was raised, radians.'),
});

const poolShot = z
  .strictObject({
    seat: described(seat, 'Who shot.'),
    action: z.strictObject({
      shot: strike,
      call: called.optional(),
      safety: z.literal(true).optional(),
      pushOut: z.literal(true).optional(),
      place: described(
        z.strictObject({ x: z.number(), y: z.number() }).optional(),
        'Where the cue ball was put first, m.',
      ),
    }),
    before: described(
      z.array(ball),
      'Balls that do not lie any more where they lay before the shot.',
    ),
    pocketed: described(z.array(called), 'Object balls that fell, in order, and where.'),
    scratched: described(pocket.nullable(), 'Where the cue ball fell.'),
    foul: z.enum(FOULS).nullable(),
    spotted: described(z.array(z.int()), 'Balls put back on the table since.'),
    end: described(
      z.enum(['rest', 'event_cap']),
      '`event_cap`: it was stopped after too many events.',
    ),
    motion,
  })
  .meta({ id: 'PoolLastShot' });

const pool = z.strictObject({
  variant: z.enum(['eightball', 'nineball']),
  callPocket: described(z.enum(CALL_RULES), 'Which shots have to be called.'),
  balls: described(z.array(ball), 'Those on the table.'),
  isBreak: described(z.boolean(), 'The next shot is a break.'),
  inHand: described(
    z.enum(['anywhere', 'behind_head_string']).nullable(),
    'Where the cue ball may be put; null when it is played from where it lies.',
  ),
  choices: described(z.array(z.enum(CHOICES)), 'What the seat chooses from instead of a shot.'),
  groups: described(
    z.tuple([z.enum(GROUPS), z.enum(GROUPS)]).nullable(),
    'By seat in eightball; null while the table is open.',
  ),
  mayPushOut: described(z.boolean(), 'The next shot may be a push-out.'),
  fouls: described(z.tuple([z.int(), z.int()]), 'Fouls in a row by seat, counted in nineball.'),
  shots: described(z.int(), 'Shots played, breaks included.'),
  last: described(poolShot.nullable(), 'The shot before this position, as it can be drawn.'),
});

const facing = z.union([z.literal(-1), z.literal(1)]);

const fighter = z
  .strictObject({
    x: described(z.int(), 'Feet, from the left wall, mm.'),
    y: described(z.int(), 'Feet, from the ground, mm.'),
    vx: described(z.int(), 'Mm a tick; 0 on the ground.'),
    vy: described(z.int(), 'Mm a tick; 0 on the ground.'),
    facing: described(facing, '1 looks to the right.'),
    health: z.int(),
    act: described(z.enum(ACTS), '`free` is standing, walking and crouching.'),
    age: described(z.int(), 'Which tick of its act this is, from 1.'),
    isCrouching: z.boolean(),
    move: described(z.enum(MOVE_NAMES).nullable(), 'The attack; null unless `act` is `attack`.'),
    hasContact: described(z.boolean(), 'That attack has met somebody.'),
    stun: described(z.int(), 'Ticks of stun or of lying left.'),
    slide: described(z.int(), 'Mm still to slide; to the left below zero.'),
    row: described(z.int(), 'Hits taken in a row.'),
    held: described(z.int(), 'The mask of the tick before.'),
    wanted: described(z.int(), 'Buttons pressed while busy.'),
    wantedFor: described(z.int(), 'For how many more ticks they count.'),
    boltX: described(z.int(), "The fighter's bolt, mm from the left wall; 0 when there is none."),
    boltFacing: described(
      z.union([z.literal(-1), z.literal(1), z.literal(0)]),
      'Which way the bolt flies; 0 when there is none.',
    ),
  })
  .meta({ id: 'Fighter' });

const round = z
  .strictObject({
    winner: described(seat.nullable(), 'Null when the round is played again.'),
    by: z.enum(ROUND_ENDS),
    health: described(z.tuple([z.int(), z.int()]), 'Left, by seat.'),
    ticks: described(z.int(), 'How long it took.'),
  })
  .meta({ id: 'FightRound' });

const fightArena = z.strictObject({
  tick: described(z.int(), 'Ticks since the match began; stands still once it is over.'),
  phase: z.enum(PHASES),
  left: described(z.int(), "Ticks left of `ready`, `pause`, or of the round's time."),
  stop: described(z.int(), 'Ticks for which both stand still after a contact.'),
  fighters: described(z.tuple([fighter, fighter]), 'By seat.'),
  rounds: described(z.array(round), 'Those that are over.'),
  roundsToWin: z.int(),
  roundTicks: described(z.int(), 'The time of a round.'),
  roundsWon: described(z.array(z.int()), 'By seat.'),
});

/** By game. Strict: a field of a view that the schema lacks is a fault. */
export const GAME_VIEWS = {
  checkers,
  tictactoe,
  connect4,
  'fight-arena': fightArena,
  pool,
  ludo,
} as const satisfies Readonly<Record<GameId, z.ZodType>>;
