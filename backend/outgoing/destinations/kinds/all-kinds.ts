import type { DestinationKind } from '#backend/contract/outgoing.ts';
import { discordKind } from './discord.ts';
import { googleChatKind } from './google-chat.ts';
import { githubKind } from './github.ts';
import { gitlabKind } from './gitlab.ts';
import { gotifyKind } from './gotify.ts';
import { jiraKind } from './jira.ts';
import type { KindModule } from './kind.ts';
import { mailKind } from './mail.ts';
import { phoneKind } from './phone.ts';
import { matrixKind } from './matrix.ts';
import { ntfyKind } from './ntfy.ts';
import { mattermostBotKind } from './mattermost-bot.ts';
import { servicenowKind } from './servicenow.ts';
import { slackBotKind } from './slack-bot.ts';
import { slackKind } from './slack.ts';
import { teamsKind } from './teams.ts';
import { telegramKind } from './telegram.ts';
import { webhookKind } from './webhook.ts';
import { zammadKind } from './zammad.ts';
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
  jira: jiraKind,
  servicenow: servicenowKind,
  github: githubKind,
  gitlab: gitlabKind,
  zammad: zammadKind,
  phone: phoneKind,
};
