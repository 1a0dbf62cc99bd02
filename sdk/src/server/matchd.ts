/** The API for a tenant's backend, grouped by resource. */

import type { CreateSession, StartMatch } from '../games.ts';
import type {
  BotChange,
  BotRequest,
  IntegrityRequest,
  JoinRequest,
  Operations,
  Session,
  SessionWithTokens,
  SettingsChange,
  TicketPlayerRequest,
  WebhookChange,
  WebhookRequest,
} from '../generated/api.ts';
import type { MatchdEvent } from '../generated/events.ts';
import type { Game } from '../generated/games.ts';
import type { Caller, CallOptions, MatchdOptions, Operation } from './call.ts';
import { makeCaller } from './call.ts';
import type { Page, Pages } from './pages.ts';
import { makePages } from './pages.ts';
import type { Ports } from './ports.ts';
import { systemPorts } from './ports.ts';
import type { BotFrame, StreamOptions } from './stream.ts';
import { readEvents, readFrames } from './stream.ts';

type Answer<Name extends Operation> = Promise<Operations[Name]['answer']>;
/** A list's filters, without the cursor, which the list handles. */
type Filter<Name extends Operation> = Omit<Operations[Name]['query'], 'cursor'>;
type Item<Name extends Operation> = Operations[Name]['answer'] extends {
  readonly data: readonly (infer Data)[];
}
  ? Data
  : never;
type Group = Operations['listPool']['answer']['groups'][number];
type EventType = MatchdEvent['type'];

export interface EventFilter extends Omit<Filter<'listEvents'>, 'types'> {
  readonly types?: readonly EventType[] | undefined;
}

export interface EventStreamFilter extends StreamOptions {
  /** Start after the event with this id. Without it the stream starts now. */
  readonly after?: string | undefined;
  readonly types?: readonly EventType[] | undefined;
  readonly mode?: 'live' | 'test' | undefined;
}

export interface BotStreamFilter extends StreamOptions {
  readonly mode?: 'live' | 'test' | undefined;
}

export type Matchd = ReturnType<typeof makeMatchd>;

/** A client for one service and one key. It holds no connection and needs no close. */
export function createMatchd(options: MatchdOptions): Matchd {
  const { fetch } = options;
  return makeMatchd(options, fetch === undefined ? systemPorts : { ...systemPorts, fetch });
}

/** The same with the caller's own ports. */
export function makeMatchd(options: MatchdOptions, ports: Ports) {
  const caller = makeCaller(options, ports);
  return {
    sessions: makeSessions(caller),
    hosted: makeHosted(caller),
    bots: makeBots(caller, ports),
    players: makePlayers(caller),
    integrity: makeIntegrity(caller),
    settings: makeSettings(caller),
    events: makeEvents(caller, ports),
    webhooks: makeWebhooks(caller),
    metrics: makeMetrics(caller),
    ...makeService(caller),
  };
}

function makeSessions({ call }: Caller) {
  return {
    /** Create a session, or join one whose player waits. The answer has the players' tokens. */
    create: <G extends Game>(
      // The game is a separate type parameter: otherwise every wrong request would match an unknown game.
      session: CreateSession<G> & { readonly game: G },
      options?: CallOptions,
    ): Promise<SessionWithTokens> => call('createSession', { body: session }, options),
    /** Join a session by room code. */
    join: (body: JoinRequest, options?: CallOptions): Answer<'joinSession'> =>
      call('joinSession', { body }, options),
    get: (id: string, options?: CallOptions): Promise<Session> =>
      call('getSession', { path: { id } }, options),
    list: (filter: Filter<'listSessions'> = {}, options?: CallOptions) =>
      listOf<Item<'listSessions'>>((cursor) =>
        call('listSessions', { query: { ...filter, cursor } }, options),
      ),
    /** Remove a player from a pending session. */
    removePlayer: (
      id: string,
      playerId: string,
      options?: CallOptions,
    ): Answer<'removeSessionPlayer'> =>
      call('removeSessionPlayer', { path: { id, playerId } }, options),
    /** End the session; its result is `aborted`. */
    end: (id: string, reason?: string, options?: CallOptions): Answer<'endSession'> =>
      call('endSession', { path: { id }, body: { reason } }, options),
    /** Create the rematch of an ended session, or return the existing one. Seats rotate by one. */
    rematch: (id: string, options?: CallOptions): Answer<'makeRematch'> =>
      call('makeRematch', { path: { id } }, options),
    /** Create a token for a seated player. */
    token: (id: string, playerId: string, options?: CallOptions): Answer<'makeSessionToken'> =>
      call('makeSessionToken', { path: { id, playerId } }, options),
    replay: (id: string, options?: CallOptions): Answer<'getReplay'> =>
      call('getReplay', { path: { id } }, options),
    /** Verify the match from its log. */
    verify: (id: string, options?: CallOptions): Answer<'verifySession'> =>
      call('verifySession', { path: { id } }, options),
    /** List active sessions that can be watched. */
    rooms: (filter: Filter<'listRooms'> = {}, options?: CallOptions) =>
      listOf<Item<'listRooms'>>((cursor) =>
        call('listRooms', { query: { ...filter, cursor } }, options),
      ),
    /** Create a token to watch the session. */
    watch: (id: string, options?: CallOptions): Answer<'watchSession'> =>
      call('watchSession', { path: { id } }, options),
    /** Add that bot, or without an id one that the service chooses. */
    addBot: (id: string, botId?: string, options?: CallOptions): Answer<'injectBot'> =>
      call('injectBot', { path: { id }, body: { botId } }, options),
    /** Submit an action of an external bot. A repeat with the same `id` has no second effect. */
    act: (
      id: string,
      body: Operations['actAsBot']['body'],
      options?: CallOptions,
    ): Answer<'actAsBot'> => call('actAsBot', { path: { id }, body }, options),
  };
}

/**
 * Hosted matchmaking: your backend takes each step, and a repeated step is no error. Every method takes the game
 * first, then the id, then the other fields; lists take a filter like all lists.
 */
function makeHosted({ call }: Caller) {
  return {
    createTicket: (
      game: Game,
      settings: Omit<Operations['createTicket']['query'], 'game'> = {},
      options?: CallOptions,
    ): Answer<'createTicket'> => {
      // An older version took one object; only this check finds such a call in plain JavaScript.
      if (typeof game !== 'string') {
        throw new TypeError(
          "createTicket takes the game first: createTicket('ludo', { capacity })",
        );
      }
      return call('createTicket', { query: { ...settings, game } }, options);
    },
    getTicket: (game: Game, ticketId: string, options?: CallOptions): Answer<'getTicket'> =>
      call('getTicket', { path: { ticketId }, query: { game } }, options),
    tickets: (filter: Filter<'listTickets'>, options?: CallOptions) =>
      listOf<Item<'listTickets'>>((cursor) =>
        call('listTickets', { query: { ...filter, cursor } }, options),
      ),
    cancelTicket: (game: Game, ticketId: string, options?: CallOptions): Answer<'cancelTicket'> =>
      call('cancelTicket', { path: { ticketId }, query: { game } }, options),
    /** The player's id, or an object with the device to check. */
    addPlayer: (
      game: Game,
      ticketId: string,
      player: string | TicketPlayerRequest,
      options?: CallOptions,
    ): Answer<'addTicketPlayer'> => {
      const body = typeof player === 'string' ? { playerId: player } : player;
      return call('addTicketPlayer', { path: { ticketId }, query: { game }, body }, options);
    },
    removePlayer: (
      game: Game,
      ticketId: string,
      playerId: string,
      options?: CallOptions,
    ): Answer<'removeTicketPlayer'> =>
      call('removeTicketPlayer', { path: { ticketId, playerId }, query: { game } }, options),
    promote: (game: Game, ticketId: string, options?: CallOptions): Answer<'promoteTicket'> =>
      call('promoteTicket', { path: { ticketId }, query: { game } }, options),
    /** List the groups in the pool, oldest first. */
    pool: (filter: Filter<'listPool'>, options?: CallOptions): Pages<Group> =>
      listOf<Group>(async (cursor) => {
        const query = { ...filter, cursor };
        const { groups, nextCursor } = await call('listPool', { query }, options);
        return { data: groups, nextCursor };
      }),
    cancelGroup: (game: Game, groupId: string, options?: CallOptions): Answer<'cancelGroup'> =>
      call('cancelGroup', { path: { groupId }, query: { game } }, options),
    /** Start a match from groups. With `requireConnected` only if every player is connected. */
    startMatch: <G extends Game>(
      game: G,
      body: StartMatch<G>,
      options: CallOptions & { readonly requireConnected?: boolean } = {},
    ): Answer<'startMatch'> => {
      const { requireConnected, ...own } = options;
      return call('startMatch', { query: { game, requireConnected }, body }, own);
    },
  };
}

/** The mode. Defaults to the key's mode, for a bot's token to the bot's. */
type ModeOptions = CallOptions & { readonly mode?: 'live' | 'test' };

function makeBots({ call, open }: Caller, ports: Ports) {
  return {
    create: (body: BotRequest, options?: CallOptions): Answer<'createBot'> =>
      call('createBot', { body }, options),
    get: (botId: string, options?: CallOptions): Answer<'getBot'> =>
      call('getBot', { path: { botId } }, options),
    list: (filter: Filter<'listBots'> = {}, options?: CallOptions) =>
      listOf<Item<'listBots'>>((cursor) =>
        call('listBots', { query: { ...filter, cursor } }, options),
      ),
    update: (botId: string, body: BotChange, options?: CallOptions): Answer<'updateBot'> =>
      call('updateBot', { path: { botId }, body }, options),
    delete: (botId: string, options?: CallOptions): Answer<'deleteBot'> =>
      call('deleteBot', { path: { botId } }, options),
    /** Create a token for an external bot, for sessions of `mode`, which defaults to the bot's mode. */
    token: (botId: string, { mode, ...options }: ModeOptions = {}): Answer<'makeBotToken'> =>
      call('makeBotToken', { path: { botId }, query: { mode } }, options),
    /** Stream the sessions of an external bot. Reopens when the stream breaks off. */
    stream: (botId: string, { mode, signal }: BotStreamFilter = {}): AsyncIterable<BotFrame> => {
      const asked = { path: { botId }, query: { mode } };
      const accept = { accept: 'application/x-ndjson' };
      return readFrames((own) => open('streamBot', asked, accept, own), { signal }, ports);
    },
  };
}

function makePlayers({ call }: Caller) {
  return {
    get: (playerId: string, query: Operations['getPlayer']['query'] = {}, options?: CallOptions) =>
      call('getPlayer', { path: { playerId }, query }, options),
    /** Create a token for the player's lobby socket, which carries all of the player's sessions. */
    token: (
      playerId: string,
      body: Operations['makeLobbyToken']['body'] = {},
      options?: CallOptions,
    ): Answer<'makeLobbyToken'> => call('makeLobbyToken', { path: { playerId }, body }, options),
    /** Erase the player's id and name; results remain. */
    erase: (playerId: string, options?: CallOptions): Answer<'erasePlayer'> =>
      call('erasePlayer', { path: { playerId } }, options),
    /** Export the player's data. */
    export: (playerId: string, options?: CallOptions): Answer<'exportPlayer'> =>
      call('exportPlayer', { path: { playerId } }, options),
    /** List the player's rated matches of a game with the rating before and after, the newest first. */
    ratingHistory: (
      playerId: string,
      filter: Filter<'listRatingHistory'>,
      options?: CallOptions,
    ): Pages<Item<'listRatingHistory'>> =>
      listOf<Item<'listRatingHistory'>>((cursor) =>
        call('listRatingHistory', { path: { playerId }, query: { ...filter, cursor } }, options),
      ),
    /** List a game's leaderboard. */
    leaderboard: (filter: Filter<'listLeaders'>, options?: CallOptions) =>
      listOf<Item<'listLeaders'>>((cursor) =>
        call('listLeaders', { query: { ...filter, cursor } }, options),
      ),
  };
}

/** Settings of the key's mode. */
function makeSettings({ call }: Caller) {
  return {
    get: (options?: CallOptions): Answer<'getSettings'> => call('getSettings', {}, options),
    /** Update the given settings. */
    update: (body: SettingsChange, options?: CallOptions): Answer<'updateSettings'> =>
      call('updateSettings', { body }, options),
  };
}

function makeIntegrity({ call }: Caller) {
  return {
    /** Create or replace a platform's credential. */
    put: (body: IntegrityRequest, options?: CallOptions): Answer<'putIntegrity'> =>
      call('putIntegrity', { body }, options),
    list: ({ mode, ...options }: ModeOptions = {}): Answer<'listIntegrity'> =>
      call('listIntegrity', { query: { mode } }, options),
    remove: (
      platform: 'android' | 'ios',
      { mode, ...options }: ModeOptions = {},
    ): Answer<'removeIntegrity'> =>
      call('removeIntegrity', { path: { platform }, query: { mode } }, options),
    /** Create a challenge for a device: for one use within five minutes, in sessions of its mode. */
    challenge: (
      platform: 'android' | 'ios',
      { mode, ...options }: ModeOptions = {},
    ): Answer<'makeChallenge'> =>
      call('makeChallenge', { body: { platform, ...(mode && { mode }) } }, options),
  };
}

function makeEvents({ call, open }: Caller, ports: Ports) {
  return {
    /** List events, from the oldest stored or from `after` on. */
    list: ({ types, ...filter }: EventFilter = {}, options?: CallOptions): Pages<MatchdEvent> =>
      listOf<MatchdEvent>(async (cursor) => {
        const query = { ...filter, types: types?.join(), cursor };
        return (await call('listEvents', { query }, options)) as Page<MatchdEvent>;
      }),
    /** Stream events. Reopens after the last event read when the stream breaks off. */
    stream: (filter: EventStreamFilter = {}): AsyncIterable<MatchdEvent> => {
      const { after, types, mode, signal } = filter;
      const query = { types: types?.join(), mode };
      return readEvents(
        (own, last) => {
          const headers = { accept: 'text/event-stream', ...(last && { 'last-event-id': last }) };
          return open('streamEvents', { query: last ? query : { ...query, after } }, headers, own);
        },
        { signal },
        ports,
      );
    },
    /** Trigger a test event. */
    trigger: (type: EventType, options?: CallOptions): Answer<'triggerEvent'> =>
      call('triggerEvent', { body: { type } }, options),
  };
}

function makeMetrics({ call }: Caller) {
  return {
    /** Retrieve the metrics and anomalies of a window, by default the last hour. */
    summary: (
      query: Operations['getMetricSummary']['query'] = {},
      options?: CallOptions,
    ): Answer<'getMetricSummary'> => call('getMetricSummary', { query }, options),
    /** Retrieve the metrics as a time series, one point for each step. */
    series: (
      query: Operations['getMetricSeries']['query'] = {},
      options?: CallOptions,
    ): Answer<'getMetricSeries'> => call('getMetricSeries', { query }, options),
  };
}

/** `webhooks.test` and `resend` wait for the endpoint, which has 15 s. */
const WEBHOOK_SEND_MS = 20_000;

function makeWebhooks({ call }: Caller) {
  return {
    /** Create a webhook. The answer has the secret, which is shown only once. */
    create: (body: WebhookRequest, options?: CallOptions): Answer<'createWebhook'> =>
      call('createWebhook', { body }, options),
    get: (webhookId: string, options?: CallOptions): Answer<'getWebhook'> =>
      call('getWebhook', { path: { webhookId } }, options),
    list: (filter: Filter<'listWebhooks'> = {}, options?: CallOptions) =>
      listOf<Item<'listWebhooks'>>((cursor) =>
        call('listWebhooks', { query: { ...filter, cursor } }, options),
      ),
    update: (
      webhookId: string,
      body: WebhookChange,
      options?: CallOptions,
    ): Answer<'updateWebhook'> => call('updateWebhook', { path: { webhookId }, body }, options),
    delete: (webhookId: string, options?: CallOptions): Answer<'deleteWebhook'> =>
      call('deleteWebhook', { path: { webhookId } }, options),
    /** Rotate the signing secret. The older one signs, too, by default for a day. */
    rotate: (
      webhookId: string,
      overlapSeconds?: number,
      options?: CallOptions,
    ): Answer<'rotateWebhook'> =>
      call('rotateWebhook', { path: { webhookId }, body: { overlapSeconds } }, options),
    /** Send a `webhook.test` now, and return the outcome. */
    test: (webhookId: string, options?: CallOptions): Answer<'testWebhook'> =>
      call('testWebhook', { path: { webhookId } }, { timeoutMs: WEBHOOK_SEND_MS, ...options }),
    /** Send an event of the log once more, now and under its own id, and return the outcome. */
    resend: (webhookId: string, eventId: string, options?: CallOptions): Answer<'resendDelivery'> =>
      call(
        'resendDelivery',
        { path: { webhookId, eventId } },
        { timeoutMs: WEBHOOK_SEND_MS, ...options },
      ),
    delivery: (webhookId: string, eventId: string, options?: CallOptions) =>
      call('getDelivery', { path: { webhookId, eventId } }, options),
    deliveries: (webhookId: string, filter: Filter<'listDeliveries'> = {}, options?: CallOptions) =>
      listOf<Item<'listDeliveries'>>((cursor) =>
        call('listDeliveries', { path: { webhookId }, query: { ...filter, cursor } }, options),
      ),
  };
}

function makeService({ call }: Caller) {
  return {
    /** List all games with their variants, seats and options. */
    games: (options?: CallOptions): Answer<'listGames'> => call('listGames', {}, options),
    /** Retrieve the current key with its plan and limits. */
    whoami: (options?: CallOptions): Answer<'whoami'> => call('whoami', {}, options),
    health: (options?: CallOptions): Answer<'health'> => call('health', {}, options),
    ready: (options?: CallOptions): Answer<'ready'> => call('ready', {}, options),
    version: (options?: CallOptions): Answer<'version'> => call('version', {}, options),
    /** List the public keys that verify replay signatures, as a JWK set. */
    publicKeys: (options?: CallOptions): Answer<'listPublicKeys'> =>
      call('listPublicKeys', {}, options),
  };
}

const listOf = <Data>(
  fetchPage: (cursor: string | undefined) => Promise<Page<Data>>,
): Pages<Data> => makePages(fetchPage);
