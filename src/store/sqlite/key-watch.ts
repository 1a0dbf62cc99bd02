/** The watch over keys in SQLite: the calls of the port, reads beside the writer. */

import type { KeyWatchStore } from '../key-watch.ts';
import { toKeyAlert } from '../rows/key-watch-rows.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Prepare } from './rows.ts';

export type KeyWatchReads = Pick<KeyWatchStore, 'listKeyAlerts'>;

export function makeKeyWatchReads(all: Prepare): KeyWatchReads {
  const open = all(
    `SELECT * FROM key_alert WHERE tenant = ? AND mode = ? AND acknowledged_at IS NULL
     ORDER BY id DESC LIMIT ?`,
  );
  return {
    listKeyAlerts: async (tenant, mode, limit) => open(tenant, mode, limit).map(toKeyAlert),
  };
}

export function makeKeyWatchStore(writer: GroupCommit, reads: KeyWatchReads): KeyWatchStore {
  return {
    ...reads,
    noteKeyUses: (uses, at, networksMax) =>
      writer.perform<'noteKeyUses'>({ op: 'noteKeyUses', uses, at, networksMax }),
    raiseKeyAlert: (alert, event) =>
      writer.perform<'raiseKeyAlert'>({ op: 'raiseKeyAlert', alert, event }),
    acknowledgeKeyAlert: (tenant, mode, id, at, audit) =>
      writer.perform<'acknowledgeKeyAlert'>({
        ...{ op: 'acknowledgeKeyAlert', tenant, mode, id, at, audit },
      }),
    removeKeyWatch: ({ hours, rest }) =>
      writer.perform<'removeKeyWatch'>({ op: 'removeKeyWatch', hours, rest }),
  };
}
