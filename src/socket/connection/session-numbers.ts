/** The numbers of sessions on one socket with `matchd.v2` (rule P12). */

/** Up to this many are searched linearly: usually there is one, which needs no map. */
const FEW = 8;

/** Sessions by number, and back; a lobby may have thousands. */
export class SessionNumbers {
  private readonly sessions: string[] = [];
  private byName: Map<string, number> | null = null;

  /** Empty when it was detached; undefined for an unknown number. */
  sessionAt(n: number): string | undefined {
    return this.sessions[n];
  }

  /** Its number, or the next free one. */
  of(session: string): number {
    const known = this.find(session);
    if (known >= 0) return known;
    const next = this.sessions.push(session) - 1;
    if (this.sessions.length > FEW) {
      this.byName ??= new Map(this.sessions.map((each, n) => [each, n]));
      this.byName.set(session, next);
    }
    return next;
  }

  /** The session is detached; its number is not reused. */
  drop(session: string): void {
    const known = this.find(session);
    if (known < 0) return;
    this.sessions[known] = '';
    this.byName?.delete(session);
  }

  private find(session: string): number {
    return this.byName === null ? this.sessions.indexOf(session) : (this.byName.get(session) ?? -1);
  }
}
