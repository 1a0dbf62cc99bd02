/** The rules of tickets and groups, one by one and with all faults together. */

import { describe, expect, test } from 'bun:test';
import { presentGroup } from './present-group.ts';
import type { HostedRefusal, StartFacts, Ticket, TicketStatus } from './ticket.ts';
import {
  decideAdd,
  decideCancelGroup,
  decideCancelTicket,
  decidePromote,
  decideRemove,
  decideStart,
} from './ticket.ts';

const STATUSES: readonly TicketStatus[] = ['forming', 'promoted', 'started', 'cancelled'];

const base = (players: readonly (string | null)[]) => ({
  id: 'tkt_a',
  tenant: 'ten_a',
  mode: 'live' as const,
  game: 'ludo' as const,
  capacity: 4,
  players: players.map((id) => ({ id, displayName: id })),
  createdAt: 1,
});
const forming: Ticket = { ...base([]), status: 'forming' };
const promoted = (group: string, ...players: readonly (string | null)[]): Ticket => ({
  ...base(players),
  status: 'promoted',
  group,
  promotedAt: 2,
  poolPlace: 1,
});
const started = (group: string, session: string, startedWith: number): Ticket => ({
  ...base(['ann']),
  status: 'started',
  group,
  promotedAt: 2,
  session,
  startedWith,
  endedAt: 3,
});
const cancelled: Ticket = {
  ...base([]),
  status: 'cancelled',
  group: 'grp_a',
  promotedAt: 2,
  endedAt: 3,
};

/** The code of a refusal, or the kind of a decision. */
function tell(
  decision:
    | { readonly kind: string }
    | { readonly kind: 'refused'; readonly refusal: HostedRefusal },
): string {
  return 'refusal' in decision ? decision.refusal.code : decision.kind;
}

describe('one ticket', () => {
  test('[M2] of all faults of an add the first in the order is reported', () => {
    const faults = ['missing', 'inside', 'closed', 'away', 'elsewhere', 'full'] as const;
    const answers = [
      'ticket_not_found',
      'again',
      'ticket_not_forming',
      'player_not_connected',
      'player_in_ticket',
      'ticket_full',
    ];
    for (let set = 0; set < 1 << faults.length; set++) {
      const has = (fault: (typeof faults)[number]) => ((set >> faults.indexOf(fault)) & 1) === 1;
      const decision = decideAdd(
        has('missing')
          ? null
          : {
              status: has('closed') ? 'promoted' : 'forming',
              capacity: 4,
              taken: has('full') ? 4 : 3,
            },
        {
          isInside: has('inside'),
          isConnected: !has('away'),
          elsewhere: has('elsewhere') ? 'tkt_b' : null,
        },
      );
      const first = faults.findIndex(has);
      expect(tell(decision)).toBe(first === -1 ? 'add' : answers[first]!);
    }
  });

  test('[M6] a player leaves only a forming ticket that has them', () => {
    const answers = STATUSES.map((status) => tell(decideRemove({ status }, true)));
    expect(answers).toEqual(['remove', ...Array(3).fill('ticket_not_forming')]);
    expect(STATUSES.map((status) => tell(decideRemove({ status }, false)))).toEqual(
      Array(4).fill('player_not_in_ticket'),
    );
    expect(tell(decideRemove(null, true))).toBe('ticket_not_found');
  });

  test('[M3] promoting again gives the same group, as long as it was not cancelled', () => {
    expect(tell(decidePromote(null))).toBe('ticket_not_found');
    expect(tell(decidePromote(forming))).toBe('promote');
    expect(tell(decidePromote(cancelled))).toBe('ticket_not_forming');
    for (const group of [promoted('grp_a'), started('grp_a', 'ses_a', 1)]) {
      expect(decidePromote(group)).toEqual({ kind: 'again', group } as never);
    }
  });

  test('[M6] a promoted ticket is cancelled as a group, a started one never', () => {
    const ticketAnswers = STATUSES.map((status) => tell(decideCancelTicket({ status })));
    expect(ticketAnswers).toEqual(['cancel', 'ticket_not_forming', 'ticket_not_forming', 'again']);
    const groupAnswers = STATUSES.map((status) => tell(decideCancelGroup('grp_a', { status })));
    expect(groupAnswers).toEqual(['group_not_found', 'cancel', 'group_started', 'again']);
    expect(tell(decideCancelTicket(null))).toBe('ticket_not_found');
    expect(tell(decideCancelGroup('grp_a', null))).toBe('group_not_found');
  });

  test('[M3] a group is shown with its ticket, its players and its time', () => {
    expect(presentGroup(promoted('grp_a', 'ann') as never)).toEqual({
      id: 'grp_a',
      ticketId: 'tkt_a',
      game: 'ludo',
      mode: 'live',
      players: [{ id: 'ann', displayName: 'ann' }],
      capacity: 4,
      status: 'promoted',
      promotedAt: '1970-01-01T00:00:00.002Z',
    });
  });
});

describe('groups together', () => {
  const facts = (groups: readonly (Ticket | null)[], change: Partial<StartFacts> = {}) => ({
    ids: groups.map((_, index) => `grp_${index}`),
    groups,
    seats: { min: 2, max: 4 },
    isConnected: null,
    ...change,
  });
  const told = (...args: Parameters<typeof facts>) => {
    const decision = decideStart(facts(...args));
    return decision.kind === 'refused' ? decision.refusal : decision;
  };

  test('[M5] players sit in the order of the groups, then of adding', () => {
    const decision = told([promoted('b', 'zed', 'ann'), promoted('c'), promoted('a', 'bob')]);
    expect(decision).toMatchObject({
      kind: 'start',
      players: [{ id: 'zed' }, { id: 'ann' }, { id: 'bob' }],
    });
  });

  test('[M5] a missing group is reported before a started one, and that before the number of players', () => {
    const one = promoted('a', 'ann');
    const gone = started('b', 'ses_a', 2);
    expect(told([gone, one, null])).toEqual({ code: 'group_not_found', group: 'grp_2' });
    expect(told([one, cancelled])).toEqual({ code: 'group_not_found', group: 'grp_1' });
    expect(told([forming])).toMatchObject({ code: 'player_count', count: 0 });
    expect(told([one, gone])).toEqual({ code: 'group_started', group: 'grp_1' });
    const needs = { code: 'player_count', min: 2, max: 4 } as const;
    expect(told([one])).toEqual({ ...needs, count: 1 });
    expect(told([promoted('a', 'a', 'b', 'c'), promoted('b', 'd', 'e')])).toEqual({
      ...needs,
      count: 5,
    });
  });

  test('[M5] only the very same set counts as started before', () => {
    const [first, second] = [started('a', 'ses_a', 2), started('b', 'ses_a', 2)];
    expect(told([first, second])).toEqual({ kind: 'again', session: 'ses_a' });
    expect(told([first])).toEqual({ code: 'group_started', group: 'grp_0' });
    expect(told([second, started('c', 'ses_b', 2)])).toMatchObject({ code: 'group_started' });
  });

  test('[M5] no player twice, and none absent who has to be connected', () => {
    const twice = [promoted('a', 'ann', 'bob'), promoted('b', 'bob')];
    const isConnected = (player: string) => player === 'ann';
    expect(told(twice, { isConnected })).toEqual({ code: 'player_in_session' });
    const both = [promoted('a', 'ann', 'bob')];
    expect(told(both, { isConnected })).toEqual({ code: 'player_absent', player: 'bob' });
    expect(told(both)).toMatchObject({ kind: 'start' });
  });

  test('[R2] an erased player takes no seat', () => {
    expect(told([promoted('a', 'ann', null, 'bob')])).toMatchObject({
      kind: 'start',
      players: [{ id: 'ann' }, { id: 'bob' }],
    });
    expect(told([promoted('a', null, 'bob')])).toMatchObject({ code: 'player_count', count: 1 });
  });
});
