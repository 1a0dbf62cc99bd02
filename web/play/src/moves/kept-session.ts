/** Of which session this tab keeps moves: small enough to be asked before the list is loaded. */

const STORED = 'matchd.movesOf';

export function keptSession(): string | null {
  try {
    return sessionStorage.getItem(STORED);
  } catch {
    // Frames on other sites may be denied their storage.
    return null;
  }
}

/** Throws where storage is forbidden. */
export function setKeptSession(session: string): void {
  sessionStorage.setItem(STORED, session);
}
