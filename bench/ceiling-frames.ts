/** Frames as long as matchd's, put together from texts made beforehand: they show no real game. */

const CELLS = 9;
/** Records before the first move: created, two connected, started. */
const VERSION_BEFORE = 4;
const AT = '2026-01-01T00:00:00.000Z';
/** As long as a signed token. */
const RESUME_TOKEN = 'r'.repeat(200);

export interface RelayFrames {
  welcome(id: string): string;
  state(id: string, seat: number, status: 'pending' | 'active'): string;
  ack(id: string, ply: number, command: string): string;
  update(id: string, ply: number, seat: number, position: number): string;
  over(id: string, plies: number): string;
}

export function makeRelayFrames(): RelayFrames {
  const tails = Array.from({ length: CELLS }, (_, ply) => updateTail(ply));
  const players = [0, 1].map((seat) => player(seat));
  const stateTail = `"players":${JSON.stringify(players)},"turn":0,${afterTurn(0)}}`;
  return {
    welcome: (id) =>
      `{"t":"welcome","player":"a12345","sessions":["${id}"],"resumeToken":"${RESUME_TOKEN}","pingMs":25000}`,
    state: (id, seat, status) =>
      `{"t":"state","s":"${id}","v":3,"prev":3,"game":"tictactoe","variant":"classic","status":"${status}","seat":${seat},${stateTail}`,
    ack: (id, ply, command) => `{"t":"ack","s":"${id}","id":"${command}","v":${version(ply)}}`,
    update: (id, ply, seat, position) =>
      `{"t":"update","s":"${id}","v":${version(ply)},"prev":${version(ply) - 1},"seat":${seat},"action":{"position":${position}},${tails[ply]}`,
    over: (id, plies) =>
      `{"t":"over","s":"${id}","v":${version(plies)},"prev":${version(plies) - 1},"result":${RESULT},"at":"${AT}"}`,
  };
}

function version(ply: number): number {
  return VERSION_BEFORE + 1 + ply;
}

/** What follows the action in the update of the move at `ply`. */
function updateTail(ply: number): string {
  return `"view":${view(ply + 1)},"turn":${(ply + 1) % 2},"legal":${legal(ply + 1)},"clock":null,"deadline":"${AT}","at":"${AT}"}`;
}

/** What follows the turn in a state. */
function afterTurn(ply: number): string {
  return `"view":${view(ply)},"legal":${legal(ply)},"clock":null,"deadline":"${AT}","drawOfferedBy":null,"graces":[null,null],"at":"${AT}","result":null`;
}

function view(taken: number): string {
  return JSON.stringify({
    board: Array.from({ length: CELLS }, (_, i) => (i < taken ? 'X' : null)),
  });
}

function legal(taken: number): string {
  return JSON.stringify(Array.from({ length: CELLS - taken }, (_, position) => ({ position })));
}

function player(seat: number): Record<string, unknown> {
  return { id: `a1234${seat}`, displayName: null, seat, isBot: false, connected: true };
}

const RESULT = JSON.stringify({
  line: [0, 1, 2],
  winner: 'a12345',
  winners: ['a12345'],
  placements: [0, 1].map((seat) => ({ playerId: 'a12345', seat, place: seat + 1 })),
  reason: 'three_in_a_row',
  durationMs: 1234,
  moveCount: 7,
});
