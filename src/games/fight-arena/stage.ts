/** The stage and how bodies move on it. Lengths are millimetres, times are ticks, all integers. */

export const TICKS_PER_SECOND = 60;

export const STAGE_WIDTH = 10_000;
/** The closest that the middle of a fighter gets to a wall. */
const WALL_GAP = 300;
export const X_MIN = WALL_GAP;
export const X_MAX = STAGE_WIDTH - WALL_GAP;
/** Where the fighters start a round, by seat. */
export const START_X = [STAGE_WIDTH / 2 - 1_200, STAGE_WIDTH / 2 + 1_200] as const;

export const HEALTH_MAX = 1_000;

/** Per tick. */
export const WALK_FORWARD = 45;
export const WALK_BACK = 36;
export const DASH_SPEED = 100;
export const DASH_TICKS = 16;
export const BACKDASH_SPEED = 80;
export const BACKDASH_TICKS = 20;
/** The rest of a backdash slows down to a stop. */
export const BACKDASH_MOVES = 14;

/** Still on the ground, but immune to throws. */
export const PREJUMP_TICKS = 4;
export const JUMP_UP = 200;
export const JUMP_SIDEWAYS = 65;
export const GRAVITY = 10;
export const LANDING_TICKS = 3;

/** How far a body is thrown, and how long it lies. It cannot be hit meanwhile. */
export const FALL_UP = 110;
export const FALL_BACK = 45;
export const DOWN_TICKS = 30;

/** Bodies nearer than this push each other apart, unless one is that high above the other. */
export const BODY_WIDTH = 600;
export const BODY_HEIGHT = 1_000;

/** How long a button that was pressed too early still counts. */
export const BUFFER_TICKS = 5;
/** After simultaneous throws: how far and how long both are pushed apart. */
export const BREAK_SLIDE = 500;
export const BREAK_STUN = 14;
/** A wall that stops a body pushes back an attacker this near. */
export const WALL_PUSH_REACH = 2_000;

/** Before a round the fighters stand; after it they come to rest. */
export const READY_TICKS = 90;
export const PAUSE_TICKS = 120;
/** How often a round without a winner is replayed; after that the match is drawn. */
export const REPLAYS_MAX = 2;

/** The damage of the first, second, … hit of a combo, in percent; the last applies to all later ones. */
export const ROW_PARTS = [100, 80, 60, 45, 30] as const;

/** The bolt of a special: where it starts, how fast it flies, and its box. */
export const BOLT_START = 650;
export const BOLT_SPEED = 80;
export const BOLT_HALF = 180;
export const BOLT_LOW = 900;
export const BOLT_HIGH = 1_300;
