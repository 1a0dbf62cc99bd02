/** The API descriptions, plain and compressed. */

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { GameId } from '../../../game/src/game.ts';

/** A JSON text that does not change while the process runs. */
export interface Document {
  readonly text: string;
  readonly gzip: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** The API description for the loaded games. */
export type DocumentOf = (games: readonly GameId[]) => Document;

/**
 * The description in `text` with these games in place of the shipped ones. Rebuilt only when the list has changed.
 */
export function makeGameDocument(text: string): DocumentOf {
  let made: { readonly games: string; readonly document: Document } | null = null;
  return (games) => {
    const names = games.join();
    if (made?.games !== names) {
      made = { games: names, document: makeDocument(withGames(text, games)) };
    }
    return made.document;
  };
}

/** The text itself if it lists exactly these games. */
function withGames(text: string, games: readonly GameId[]): string {
  const described = JSON.parse(text) as Described;
  const game = described.components.schemas.Game;
  if (game.enum.join() === games.join()) return text;
  game.enum = games;
  return `${JSON.stringify(described, null, 2)}\n`;
}

interface Described {
  readonly components: { readonly schemas: { readonly Game: { enum: readonly GameId[] } } };
}

export function makeDocument(text: string): Document {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return { text, gzip: new Uint8Array(gzipSync(text, { level: 9 })), etag: `"${digest}"` };
}
