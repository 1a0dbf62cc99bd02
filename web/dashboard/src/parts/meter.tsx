/** How much of a limit is used. */

import { number } from '../words/number.ts';

/** From this share on a limit is nearly used up. */
const NEAR = 0.8;

/** `limit` null: no limit. */
export function Meter({
  label,
  used,
  limit,
  note,
}: {
  readonly label: string;
  readonly used: number;
  readonly limit: number | null;
  readonly note?: string;
}) {
  const words =
    limit === null ? `${number(used)}, no limit` : `${number(used)} of ${number(limit)}`;
  const isNear = limit !== null && used >= limit * NEAR;
  return (
    <div class={`meter${isNear ? ' near' : ''}`}>
      <span>{label}</span>
      <span class="muted">
        {words}
        {isNear && ` (${limit === 0 ? 100 : Math.floor((used / limit) * 100)} %)`}
      </span>
      {limit !== null && (
        <meter
          min={0}
          max={Math.max(1, limit)}
          high={limit * NEAR}
          value={Math.min(used, limit)}
          aria-label={`${label}: ${words}`}
        />
      )}
      {note !== undefined && <span class="hint">{note}</span>}
    </div>
  );
}
