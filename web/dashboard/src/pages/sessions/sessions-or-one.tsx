/** The list of sessions, or the one in the address. */

import { useHere } from '../../here.ts';
import { lazy } from '../../parts/lazy.tsx';
import { Sessions } from './sessions.tsx';

const SessionPage = lazy(async () => (await import('./session.tsx')).SessionPage);

export function SessionsOrOne() {
  const { id } = useHere();
  return id === null ? <Sessions /> : <SessionPage key={id} />;
}
