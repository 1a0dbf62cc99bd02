/**
 * Faults that are patched into the service's own source as it is loaded: one place of one file
 * each.
 */

import type { Mutant } from './mutant.ts';

export const PATCHES: readonly Mutant[] = [
  {
    name: 'last-step-untold',
    fault: 'a commit of several records writes no events of its last one',
    isOfClusters: false,
    hurts: ['E1'],
    patch: {
      file: 'src/events/session-events.ts',
      from: 'of steps.entries()) {',
      to: 'of (steps.length > 1 ? steps.slice(0, -1) : steps).entries()) {',
    },
  },
  {
    name: 'no-wake-time',
    fault: 'a session is put to sleep without its deadline',
    isOfClusters: false,
    hurts: ['L'],
    patch: {
      file: 'src/runtime/host/match-sleep.ts',
      from: 'wakeAt: wakeAt(table, match) })),\n    );',
      to: 'wakeAt: null })),\n    );',
    },
  },
  {
    name: 'load-gives-nothing',
    fault: 'a match that is loaded gives nothing back',
    isOfClusters: false,
    hurts: ['P6 fair'],
    patch: {
      file: 'src/runtime/host/match-load.ts',
      from: 'if (since !== null) noteInterruption(',
      to: 'if (since === -1) noteInterruption(',
    },
  },
  {
    name: 'stall-unnoticed',
    fault: 'a process does not notice that it stood still',
    isOfClusters: false,
    hurts: ['P6 fair'],
    patch: {
      file: 'src/runtime/host/time/pulse.ts',
      from: '} else onStall(from, now);',
      to: '}',
    },
  },
  {
    name: 'silence-unnoticed',
    fault: 'a node does not notice that the store takes none of its heartbeats',
    isOfClusters: true,
    hurts: ['P6 fair'],
    patch: {
      file: 'src/cluster/membership/members.ts',
      from: 'return isSilent ? { from: tookAt, to: now } : lastSilence;',
      to: 'return isSilent ? null : lastSilence && { from: tookAt, to: tookAt };',
    },
  },
  {
    name: 'turn-without-end',
    fault: 'a turn that has run out is given back',
    isOfClusters: false,
    hurts: ['P6 bound'],
    patch: {
      file: 'src/runtime/host/match-time.ts',
      from: "if (session.status === 'ended' || !wasInterrupted(table.downtime, lost)) return 0;",
      to: "if (session.status === 'ended') return 0;\n  const now = timeOf(table, match);\n  if (session.status === 'active' && now >= session.turnStartedAt + session.setup.turnTimeoutMs) return now - session.at;\n  if (!wasInterrupted(table.downtime, lost)) return 0;",
    },
  },
  {
    name: 'given-for-nothing',
    fault: 'a second is given back with each record',
    isOfClusters: false,
    hurts: ['P6 gift'],
    patch: {
      file: 'src/runtime/host/match-time.ts',
      from: "if (session.status === 'ended' || !wasInterrupted(table.downtime, lost)) return 0;",
      to: "if (session.status === 'ended') return 0;\n  if (!wasInterrupted(table.downtime, lost)) return 1_000;",
    },
  },
  {
    name: 'sleep-given-back',
    fault: 'a match that slept is given the time in which it slept',
    isOfClusters: true,
    hurts: ['P6 gift'],
    patch: {
      file: 'src/runtime/host/time/lost-time.ts',
      from: 'if (wakeAt === null) return null;',
      to: 'if (wakeAt !== null) return session.at;',
    },
  },
  {
    name: 'short-resume',
    fault: 'a client that is one version behind counts as up to date',
    isOfClusters: false,
    hurts: ['P4'],
    patch: {
      file: 'src/runtime/host/showing.ts',
      from: '(match.session.v === seen && match.room === null)',
      to: '(seen !== undefined && match.session.v - 1 <= seen && match.room === null)',
    },
  },
  {
    name: 'reuse-acknowledged',
    fault: 'a command under the id of another one is acknowledged',
    isOfClusters: false,
    hurts: ['P4'],
    patch: {
      file: 'src/runtime/host/player-work.ts',
      from: 'if (fingerprintOf(taken) === printOf(match, command)) return',
      to: 'if (fingerprintOf(taken) !== null || printOf(match, command)) return',
    },
  },
  {
    name: 'load-elsewhere',
    fault: 'a node takes into memory what another node holds, which lives',
    isOfClusters: true,
    hurts: ['I3'],
    elsewhere: 'src/cluster: [N2] what one survivor has claimed another does not take from it',
    patch: {
      file: 'src/runtime/host/match-load.ts',
      from: 'if (await isElsewhere(table, stored)) return UNDONE;',
      to: '',
    },
  },
  {
    name: 'lapsed-keeps',
    fault: 'a node whose lease is over keeps its matches in memory',
    isOfClusters: true,
    hurts: ['I3'],
    elsewhere:
      'src/cluster: [N3][P6] the time in which a node could own nothing is charged to none of its players',
    patch: {
      file: 'src/cluster/handover.ts',
      from: 'lapsed: () => local.releaseAll(),',
      to: 'lapsed: () => undefined,',
    },
  },
  {
    name: 'answer-ignored',
    fault: 'an answer that another node has kept under the same Idempotency-Key is not given',
    isOfClusters: true,
    hurts: ['I15', 'X'],
    patch: {
      file: 'src/http/request/idempotency.ts',
      from: 'return kept && restore(kept, bodyHash);',
      to: 'return kept === null ? restore(kept, bodyHash) : null;',
    },
  },
  {
    name: 'settled-own-answer',
    fault: 'a node gives its own answer although another one stands under the Idempotency-Key',
    isOfClusters: true,
    hurts: ['I15'],
    patch: {
      file: 'src/http/request/idempotency.ts',
      from: 'return kept === null || isSame(kept, row) ? outcome : restore(kept, bodyHash);',
      to: 'return kept === null || isSame(kept, row) ? outcome : outcome;',
    },
  },
  {
    name: 'non-owner-shown',
    fault: 'frames are shown whichever node sends them',
    isOfClusters: true,
    hurts: ['I3', 'I5', 'P3'],
    elsewhere:
      'harmless: a place has a number of its own and one owner, and no other node was told that number',
    patch: {
      file: 'src/cluster/edge.ts',
      from: 'return slot?.owner === from ? slot : null;',
      to: 'return slot ?? null;',
    },
  },
  {
    name: 'dismissed-shown',
    fault: 'a match that was let go shows the commit that was under way',
    isOfClusters: true,
    hurts: ['I3', 'P3'],
    elsewhere: 'harmless: whoever was shown the match has been taken out of it by then',
    patch: {
      file: 'src/runtime/host/mailbox.ts',
      from: 'const shown = isHere ? (draft',
      to: 'const shown = isHere || match ? (draft',
    },
  },
  {
    name: 'lost-still-shown',
    fault: 'a node goes on showing a session that it has let go',
    isOfClusters: true,
    hurts: ['I3', 'L', 'X'],
    patch: {
      file: 'src/runtime/host/match-leave.ts',
      from: "remove(table, match, match.phase === 'committing' ? 'leaving' : 'absent');\n  dropClients(match);",
      to: "remove(table, match, match.phase === 'committing' ? 'leaving' : 'absent');",
    },
  },
  {
    name: 'old-life-heard',
    fault: 'a link takes frames of a life of the other end that is over',
    isOfClusters: true,
    hurts: ['I1', 'I3', 'L', 'P3', 'P4', 'X'],
    elsewhere:
      'src/cluster: [LINK] a frame of an earlier life is refused, though it names the current life of this end',
    patch: {
      file: 'src/cluster/links/link.ts',
      from: 'if (frame.epoch < state.peer) return;',
      to: '',
    },
  },
  {
    name: 'busy-given-away',
    fault: 'a node that drains gives a match away without a last look whether it is quiet',
    isOfClusters: true,
    hurts: ['I1', 'I3', 'L', 'P3', 'P6 fair'],
    elsewhere:
      'harmless: at the end of the drain the lease is given back, and whoever looks for the match then may take it',
    patch: {
      file: 'src/runtime/host/match-drain.ts',
      from: "if (match.phase !== 'asleep' || !isQuiet(match)) continue;\n      releaseMatch",
      to: 'releaseMatch',
    },
  },
];
