/** Texts with a button that copies them: ids in a table, commands and secrets in a box. */

import { useState } from 'preact/hooks';
import { useHere } from '../here.ts';

/** How long a button shows that it has copied. */
const COPIED_MS = 2_000;

function useCopy(text: string): readonly [isCopied: boolean, copy: () => Promise<void>] {
  const { warn } = useHere();
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch (error) {
      return warn(error instanceof Error ? error.message : String(error));
    }
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return [isCopied, copy];
}

/** An id of the service is one word; players' ids and addresses, which others choose, may be long. */
const OWN_ID = /^[a-z]+_[0-9a-z]{26}$/;

/** An id, as a link if it has a page. `isShort`: cut off where its table is full. */
export function Id({
  text,
  href,
  isShort = false,
}: {
  readonly text: string;
  readonly href?: string;
  readonly isShort?: boolean;
}) {
  const [isCopied, copy] = useCopy(text);
  const look = `id${OWN_ID.test(text) ? ' own' : ''}${isShort ? ' short' : ''}`;
  const title = isShort ? text : undefined;
  return (
    <span class="with-copy">
      {href === undefined ? (
        <code class={look} title={title}>
          {text}
        </code>
      ) : (
        <a class={look} href={href} title={title}>
          {text}
        </a>
      )}
      <button type="button" class="copy" aria-label={`Copy ${text}`} title="Copy" onClick={copy}>
        {isCopied ? '✓' : <CopyIcon />}
      </button>
    </span>
  );
}

export function Copyable({
  text,
  label = 'Copy',
}: {
  readonly text: string;
  readonly label?: string;
}) {
  const [isCopied, copy] = useCopy(text);
  return (
    <div class="copyable">
      <code>{text}</code>
      <button type="button" class="small" onClick={copy}>
        {isCopied ? 'Copied' : label}
      </button>
    </div>
  );
}

/** Two sheets: not every system has a character for it. */
function CopyIcon() {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M6 2h7v9H6zM10 11v3H3V5h3" />
    </svg>
  );
}
