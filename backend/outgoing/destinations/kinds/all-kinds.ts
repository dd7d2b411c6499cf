import type { DestinationKind } from '#backend/contract/outgoing.ts';
import { discordKind } from './discord.ts';
import { gotifyKind } from './gotify.ts';
import type { KindModule } from './kind.ts';
import { mailKind } from './mail.ts';
import { ntfyKind } from './ntfy.ts';
import { slackKind } from './slack.ts';
import { webhookKind } from './webhook.ts';

/** Every kind of destination. */
export const KINDS: Readonly<Record<DestinationKind, KindModule>> = {
  webhook: webhookKind,
  slack: slackKind,
  discord: discordKind,
  ntfy: ntfyKind,
  gotify: gotifyKind,
  mail: mailKind,
};
