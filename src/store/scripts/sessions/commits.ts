/** Records of matches, together with the other changes of their commits. */

import type { GameId } from '../../../../game/src/game.ts';
import type { CommitOutcome, MatchCommit, SessionChange } from '../../store.ts';
import { worldOf } from '../../world.ts';
import { insertRecords, insertUnlessThere, type LogRow, toLogRows } from '../shared/log-rows.ts';
import { lockPlayers, playersOf } from '../shared/player-rows.ts';
import { refuseSome } from '../shared/refused.ts';
import { roundsOf } from '../shared/rounds.ts';
import type { Script, Tx } from '../shared/script.ts';
import { namesOfSeekers, sessionsOfWaiters } from '../shared/waiting.ts';
import { applyChanges } from './session-changes.ts';

type Outcome = Exclude<CommitOutcome, 'unknown'>;

/** A record alone, which is nearly every move, takes a faster path in each database. */
export const COMMIT: Script<MatchCommit, Outcome> = {
  name: 'commit',
  rounds: (commits) => roundsOf(commits, namesOf, kindOf),
  act: commitAll,
};

/** The session, and players seated from the queue: commits that share a name cannot be decided in one round. */
function namesOf(commit: MatchCommit): string[] {
  const seats = isQueued(commit) ? (commit.change.seats ?? []) : [];
  return [commit.session, ...namesOfSeekers(commit, seats)];
}

/** Checking whether somebody waits elsewhere takes locks that other commits should not wait for. */
function kindOf(commit: MatchCommit): string {
  return isQueued(commit) ? 'queued' : '';
}

function isQueued(commit: MatchCommit): commit is MatchCommit & { readonly change: SessionChange } {
  return commit.change?.queued === true;
}

/** A commit, and its records as rows. */
interface Work {
  readonly commit: MatchCommit;
  readonly rows: readonly LogRow[];
}

/** Commits of different sessions. Those whose versions exist already are conflicts. */
async function commitAll(tx: Tx, commits: readonly MatchCommit[]): Promise<readonly Outcome[]> {
  const works = [...commits]
    .sort((a, b) => (a.session < b.session ? -1 : 1))
    .map((commit): Work => ({ commit, rows: toLogRows(commit.session, commit.entries) }));
  // Whoever has the first version has the others too: nobody writes past a gap.
  const firsts = works.map(({ rows }) => rows[0]!);
  const winners = await insertUnlessThere(tx, firsts);
  const won = works.filter(({ commit }) => winners.has(commit.session));
  const others = won.flatMap(({ rows }) => rows.slice(1));
  if (others.length > 0) await insertRecords(tx, others);
  const winning = won.map(({ commit }) => commit);
  const queued = winning.filter(isQueued);
  if (queued.length > 0) await refuseWaiters(tx, queued);
  await applyChanges(tx, winning);
  for (const { events = [] } of winning) for (const event of events) tx.emit(event);
  return commits.map(({ session }) => (winners.has(session) ? 'committed' : 'conflict'));
}

/**
 * Rule S2: no player who waits for the game in another session is seated from the queue. Until the
 * transaction ends nobody else seats these players from the queue.
 */
async function refuseWaiters(tx: Tx, commits: readonly MatchCommit[]): Promise<void> {
  const seats = commits.flatMap((commit) => {
    const { session, tenant, mode, change } = commit;
    return (change?.seats ?? []).map((seat) => {
      return { ...seat, session, tenant, mode, world: worldOf(commit) };
    });
  });
  const players = await playersOf(tx, seats);
  const refs = players.map(({ ref }) => ref);
  await lockPlayers(tx, refs);
  const rows = await tx.all('SELECT id, game FROM session WHERE id IN :ids(text)', {
    ids: commits.map(({ session }) => session),
  });
  const games = new Map(rows.map(({ id, game }) => [id, game as GameId]));
  const seekers = seats.map(({ session, mode }, i) => {
    return { session, mode, ref: refs[i]!, game: games.get(session)! };
  });
  const elsewhere = await sessionsOfWaiters(tx, seekers);
  refuseSome(commits, ({ session }) => elsewhere.has(session), 'conflict' as const);
}
