/** `@matchd/sdk`: matchd for a tenant's backend. Needs nothing but fetch and WebCrypto. */

export type * from '../actions.ts';
export type { CreateSession, OptionsOf, StartMatch, VariantOf } from '../games.ts';
export type * from '../generated/api.ts';
export type { EventData, MatchdEvent } from '../generated/events.ts';
export type * from '../generated/frames.ts';
export type * from '../generated/games.ts';
export type { CallOptions, MatchdOptions, ResponseInfo } from './call.ts';
export { MatchdError } from './error.ts';
export type {
  BotStreamFilter,
  EventFilter,
  EventStreamFilter,
  Matchd,
} from './matchd.ts';
export { createMatchd } from './matchd.ts';
export type { Page, Pages } from './pages.ts';
export type { BotFrame, BotWelcome } from './stream.ts';
export type { HeadersLike, WebhookDelivery, WebhookEvent, WebhookTestEvent } from './webhook.ts';
export { signWebhook, verifyWebhook } from './webhook.ts';
