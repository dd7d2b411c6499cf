import type { DestinationKind } from '#backend/contract/outgoing.ts';
import { discordKind } from './discord.ts';
import { googleChatKind } from './google-chat.ts';
import { gotifyKind } from './gotify.ts';
import type { KindModule } from './kind.ts';
import { mailKind } from './mail.ts';
import { matrixKind } from './matrix.ts';
import { ntfyKind } from './ntfy.ts';
import { mattermostBotKind } from './mattermost-bot.ts';
import { slackBotKind } from './slack-bot.ts';
import { slackKind } from './slack.ts';
import { teamsKind } from './teams.ts';
import { telegramKind } from './telegram.ts';
import { webhookKind } from './webhook.ts';
import { zulipKind } from './zulip.ts';

/** Every kind of destination. */
export const KINDS: Readonly<Record<DestinationKind, KindModule>> = {
  webhook: webhookKind,
  'slack-bot': slackBotKind,
  'mattermost-bot': mattermostBotKind,
  slack: slackKind,
  teams: teamsKind,
  'google-chat': googleChatKind,
  discord: discordKind,
  telegram: telegramKind,
  zulip: zulipKind,
  matrix: matrixKind,
  ntfy: ntfyKind,
  gotify: gotifyKind,
  mail: mailKind,
};
