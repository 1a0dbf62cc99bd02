/** Dialogs with the browser's own element: it traps the focus and returns it. */

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Copyable } from './copy.tsx';
import { Failure } from './states.tsx';

export function Dialog({
  title,
  close,
  className = '',
  children,
}: {
  readonly title: string;
  /** Also called for Escape; the dialog stays until it is no longer rendered. */
  readonly close: () => void;
  readonly className?: string;
  readonly children: ComponentChildren;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current!;
    const opener = document.activeElement;
    dialog.showModal();
    return () => {
      dialog.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={className}
      aria-labelledby={id}
      // Before the browser's own handler: pressed twice, Escape closes it whatever the page does.
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        close();
      }}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

/** A question before an irreversible action. The first button is the harmless one. */
export function Confirm({
  title,
  act,
  perform,
  close,
  children,
}: {
  readonly title: string;
  /** The label of the button. */
  readonly act: string;
  /** Its error is shown; the dialog closes when it succeeds. */
  readonly perform: () => Promise<unknown>;
  readonly close: () => void;
  readonly children: ComponentChildren;
}) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await perform();
      close();
    } catch (reason) {
      setError(reason);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} close={close}>
      <p>{children}</p>
      {error !== null && <Failure error={error} />}
      <div class="actions">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="button" class="danger" disabled={isBusy} onClick={run}>
          {act}
        </button>
      </div>
    </Dialog>
  );
}

/** A secret that is not shown again: Escape asks first. */
export function ShowOnce({
  title,
  text,
  close,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly close: () => void;
  readonly children?: ComponentChildren;
}) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Dialog title={title} close={() => setAsking(true)}>
      <p>Store it now. It is shown only once.</p>
      <Copyable text={text} />
      {children}
      {isAsking && (
        <p class="problem" role="alert">
          It cannot be shown again. Close only if you have stored it.
        </p>
      )}
      <div class="actions">
        <button type="button" class="primary" onClick={close}>
          I have stored it
        </button>
      </div>
    </Dialog>
  );
}
