/** What a key is used for: each call with its last use, to know what a rotation or a new limit breaks. */

import { useHere } from '../here.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Answer } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useAnswer } from '../query.ts';
import type { Key } from '../types.ts';

interface Uses {
  readonly isPartial: boolean;
  readonly data: readonly {
    readonly method: string;
    readonly route: string;
    readonly lastAt: string;
    readonly lastStatus: number;
    readonly requests: number;
  }[];
}

type Use = Uses['data'][number];

export function KeyUses({ of: key, close }: { readonly of: Key; readonly close: () => void }) {
  const { api } = useHere();
  const uses = useAnswer<Uses>(`${api}/keys/${key.id}/routes`, ['requests']);
  const call = ({ method, route }: Use): string => `${method} ${route}`;
  return (
    <Dialog title={`Uses of ${key.name}`} close={close} className="wide">
      <Answer of={uses}>
        {({ data, isPartial }) => (
          <>
            <p class="hint">
              {isPartial
                ? 'Of the 2,000 newest requests of this mode.'
                : 'Of the requests of the last 7 days.'}
            </p>
            <Table
              label="Uses"
              rows={data}
              keyOf={call}
              empty="The key was not used."
              csv={`uses-of-${key.id}`}
              columns={[
                { title: 'Call', cell: call, value: call },
                {
                  title: 'Last used',
                  cell: ({ lastAt }) => <Time at={lastAt} />,
                  value: ({ lastAt }) => lastAt,
                },
                {
                  title: 'Last status',
                  cell: ({ lastStatus }) => lastStatus,
                  value: ({ lastStatus }) => lastStatus,
                },
                {
                  title: 'Requests',
                  cell: ({ requests }) => requests,
                  value: ({ requests }) => requests,
                },
              ]}
            />
          </>
        )}
      </Answer>
      <div class="actions">
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
