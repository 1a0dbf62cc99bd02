/** The list of sessions, or the one that the address names. */

import { useHere } from '../here.ts';
import { SessionPage } from './session.tsx';
import { Sessions } from './sessions.tsx';

export function SessionsOrOne() {
  const { id } = useHere();
  return id === null ? <Sessions /> : <SessionPage key={id} />;
}
