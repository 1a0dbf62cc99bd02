/** A page for visitors who are not signed in. */

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export function SignedOutPage({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = `${title} · matchd`;
    main.current!.querySelector<HTMLElement>('input, button')?.focus();
  }, [title]);
  return (
    <main class="alone" ref={main}>
      <p class="brand">matchd</p>
      <h1>{title}</h1>
      {children}
    </main>
  );
}
