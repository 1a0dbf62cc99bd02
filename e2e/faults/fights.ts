/** Continuous fights: two players with random inputs, through any nodes, and the same end for all. */

import type { Json } from '../../game/src/game.ts';
import { hashJson } from '../../game/src/json.ts';
import { type E2eFighter, openFighter } from '../parts/fighter.ts';
import type { Asked } from './tickets.ts';

export interface FightFigures {
  fights: number;
  ticks: number;
  /** Sockets that were opened again. */
  comebacks: number;
  /** Whole states that were requested. */
  resyncs: number;
}

/** A fight of ten seconds, faults of half a minute, and three seconds after each of them. */
const FIGHT_MS_MAX = 150_000;

export async function playFights(
  asked: Asked,
  figures: FightFigures,
  isStopping: () => boolean,
): Promise<void> {
  for (let number = 0; !isStopping(); number++) {
    await playFight(asked, figures, number).catch((error: unknown) => asked.found(String(error)));
    figures.fights += 1;
  }
}

async function playFight(asked: Asked, figures: FightFigures, number: number): Promise<void> {
  const { backend, found, url } = asked;
  const players = [`fighter-${number}-0`, `fighter-${number}-1`];
  const { status, json } = await backend.insist({
    method: 'POST',
    path: '/v1/sessions',
    body: {
      game: 'fight-arena',
      players: players.map((id) => ({ id })),
      options: { roundSeconds: 10, roundsToWin: 1 },
    },
    once: `fight-${number}`,
  });
  if (status >= 300) throw new Error(`a fight was not created: ${status} ${json['error']}`);
  const session = String(json['sessionId']);
  const tokens = json['tokens'] as Record<string, string>;
  const fighters = players.map((id) =>
    openFighter({ url, token: tokens[id]!, session, name: id, address: `10.8.0.${number % 250}` }),
  );
  const done = Promise.all(fighters.map((fighter) => fighter.done)).then(() => true);
  const isOver = await Promise.race([done, Bun.sleep(FIGHT_MS_MAX).then(() => false)]);
  for (const { player, reconnects, close } of fighters) {
    figures.ticks += player.confirmed()?.tick ?? 0;
    figures.comebacks += reconnects();
    figures.resyncs += player.stats().resyncs;
    close();
  }
  if (!isOver) found(`stuck: fight ${session}`);
  else await judge(asked, session, fighters);
}

async function judge(
  { backend, found }: Asked,
  session: string,
  fighters: readonly E2eFighter[],
): Promise<void> {
  const path = `/v1/sessions/${session}`;
  const { json: replay } = await backend.insist({ method: 'GET', path: `${path}/replay` });
  const { json: verified } = await backend.insist({ method: 'POST', path: `${path}/verify` });
  if (verified['ok'] !== true) found(`I5: fight ${session} does not verify`);
  const { reason } = (replay['result'] ?? { reason: 'none' }) as { readonly reason: string };
  if (!/^rounds_/.test(reason)) found(`fight ${session} ended by ${reason}`);
  for (const { player, recent } of fighters) {
    const confirmed = player.confirmed();
    const evidence = { confirmed, replay, recent };
    if (hashJson(confirmed as unknown as Json) !== replay['hash']) {
      found(`I5: fight ${session} ended in another state for a player`, evidence);
    }
    if (player.stats().desyncs > 0) found(`I5: fight ${session} was shown another state`, evidence);
  }
}
