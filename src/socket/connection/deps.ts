/** What the sockets need from the rest of the service. */

import type { Peer } from '../../platform/platform.ts';
import type { TokenClaims, Tokens } from '../../runtime/access/tokens.ts';
import type { MatchHost } from '../../runtime/host/match-host.ts';
import type { PlayerCommand } from '../../runtime/host/player-work.ts';
import type { MakeId } from '../../runtime/ids.ts';
import type { Places } from '../../runtime/limits/places.ts';
import type { Clock } from '../../runtime/ports.ts';
import type { Agreements } from '../../runtime/sessions/agreements.ts';
import type { Seals } from '../../runtime/signing/seals.ts';
import type { SessionStore } from '../../store/store.ts';
import type { PresenceStore } from '../../store/tickets.ts';
import type { Receipt, ReceiptOwner } from './receipts.ts';

/** May a token open a socket from that origin? `sockets` is the tenant's limit. */
export type Access =
  | { readonly ok: true; readonly socketsMax: number }
  | { readonly ok: false; readonly reason: 'token' | 'origin' };

/** The sockets on other nodes; a single process has none. */
export interface PeerSockets {
  /** A socket has entered a slot of the census: older ones elsewhere are closed. Returns its stamp. */
  entered(place: string): number;
  /** Watchers of a session on the other nodes. */
  watchers(session: string): number;
}

export interface SocketDeps {
  readonly host: MatchHost;
  readonly store: Pick<SessionStore, 'listOpenSessionsOf' | 'loadSession'> & PresenceStore;
  readonly seals: Pick<Seals, 'signReplay'>;
  readonly agreements: Pick<Agreements, 'ask'>;
  /** This process's name, in the presence records it writes. */
  readonly node: string;
  readonly clock: Clock;
  /** Names refused handshakes, for the log. */
  readonly makeId: MakeId;
  readonly tokens: Tokens;
  /** Looks up the token's tenant and issuing key; the result checks origins. */
  accessOf(claims: TokenClaims): Promise<(origin: string | null) => Access>;
  /** The client's address behind the trusted proxies. */
  clientAddress(request: Request, peer: Peer): string;
  /** An unexpected error; for the log. */
  onError(error: unknown): void;
  /** Measures a command until its answer; absent: nothing is measured. */
  receiptOf?(session: string, command: PlayerCommand, claims: ReceiptOwner): Receipt;
  readonly peers?: PeerSockets;
  /** Counts a tenant's sockets over all nodes; a single process counts its own. */
  readonly places?: Pick<Places, 'take'>;
}
