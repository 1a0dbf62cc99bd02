/** All pages by the word in their addresses. */

import type { Context, MakePage } from '../page.ts';
import { account } from './account.ts';
import { audit } from './audit.ts';
import { board } from './board.ts';
import { bots } from './bots.ts';
import { explorer } from './explorer.ts';
import { installation } from './installation.ts';
import { integrity } from './integrity.ts';
import { keys } from './keys.ts';
import { overview } from './overview.ts';
import { players } from './players.ts';
import { requests } from './requests.ts';
import { session } from './session.ts';
import { sessions } from './sessions.ts';
import { team } from './team.ts';
import { usage } from './usage.ts';
import { webhooks } from './webhooks.ts';

/** Of one world of a tenant. */
export const TENANT_PAGES: Readonly<Record<string, MakePage>> = {
  overview,
  sessions: (context: Context) => (context.id === null ? sessions(context) : session(context)),
  board,
  players,
  bots,
  integrity,
  webhooks,
  requests,
  usage,
  keys,
  explorer,
  audit,
  team,
};

/** Of nobody's tenant. */
export const OWN_PAGES: Readonly<Record<string, MakePage>> = { account, installation };
