/** The columns of a table that name a player. */

import type { usePageUrl } from '../here.ts';
import { Id } from './copy.tsx';
import type { Column } from './table.tsx';

interface Named {
  readonly playerId: string;
  readonly displayName: string | null;
}

export function playerColumns(url: ReturnType<typeof usePageUrl>): readonly Column<Named>[] {
  return [
    {
      title: 'Player',
      cell: ({ playerId }) => (
        <Id text={playerId} href={url('players', encodeURIComponent(playerId))} />
      ),
      value: ({ playerId }) => playerId,
    },
    {
      title: 'Name',
      cell: ({ displayName }) => displayName ?? '—',
      value: ({ displayName }) => displayName,
    },
  ];
}
