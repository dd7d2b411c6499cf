import type { DestinationKind } from '#backend/contract/outgoing.ts';
import * as texts from './destinations-texts.tsx';

/** A field of a kind's form: what it is called there, and what is to be known of it. */
export interface FieldText {
  label: string;
  hint?: string;
  placeholder?: string;
}

/** What a kind is called, and the fields of its form. What is not there it has not. */
interface KindTexts {
  name: string;
  /** The letters of its tile. */
  tile: string;
  /** What a destination of this kind is. */
  hint: string;
  url?: FieldText;
  /** The address that most destinations of this kind have. */
  usualUrl?: string;
  /** The address lets everybody write who has it: it is never shown again. */
  hasSecretAddress?: true;
  account?: FieldText;
  topic?: FieldText;
  room?: FieldText;
  token?: FieldText & { isOptional?: true };
  appToken?: FieldText;
  requestSecret?: FieldText;
  recipients?: FieldText;
}

const SERVER = 'Server';
const ACCESS_TOKEN = 'Access token';
const CHANNEL_ID = 'Channel id';
const BOT_TOKEN = 'Bot token';
const WEBHOOK = 'Webhook';
const KEPT_SECRET = 'It is kept as a secret.';

/** Kinds of destinations, as administrators read them. */
export const KIND_TEXTS: Record<DestinationKind, KindTexts> = {
  webhook: {
    name: WEBHOOK,
    tile: 'Wh',
    hint: 'Receives JSON that is signed as the Standard Webhooks specification says.',
    url: { label: 'Address' },
  },
  'slack-bot': {
    name: 'Slack app, with buttons',
    tile: 'Sl',
    hint: 'One message for each problem, changed in place. The app needs the bot scopes chat:write, channels:history, groups:history, users:read and users:read.email.',
    url: { label: 'Web API', hint: 'For GovSlack, use https://slack-gov.com/api.' },
    usualUrl: 'https://slack.com/api',
    token: { label: BOT_TOKEN, hint: 'OAuth & Permissions, Bot User OAuth Token: it begins with xoxb-.' },
    room: {
      label: CHANNEL_ID,
      hint: 'The channel’s name, About, at the very end. Write /invite @alertdesk there.',
      placeholder: 'C0123456789',
    },
    appToken: {
      label: 'App-level token',
      hint: 'For buttons by Socket Mode, which needs no public address: Basic Information, App-Level Tokens, with connections:write.',
    },
    requestSecret: {
      label: texts.signingSecret,
      hint: 'For buttons without Socket Mode: set the Request URL under Interactivity to this server’s address with /api/chat/slack.',
    },
  },
  'mattermost-bot': {
    name: 'Mattermost bot, with buttons',
    tile: 'Mm',
    hint: 'One message for each problem, changed in place. Mattermost must be able to reach this server for its buttons.',
    url: { label: SERVER, placeholder: 'https://mattermost.example.com' },
    token: { label: ACCESS_TOKEN, hint: 'Of a bot account: Integrations, Bot Accounts, Create New Token.' },
    room: { label: CHANNEL_ID, hint: 'The channel’s menu, View Info, at the very end. Add the bot to the channel.' },
  },
  slack: {
    name: 'Slack, Mattermost or Rocket.Chat',
    tile: 'Sl',
    hint: 'Rocket.Chat: Administration, Integrations, New, Incoming, without a script.',
    url: { label: 'Incoming webhook', hint: `The address of an incoming webhook of any of the three. ${KEPT_SECRET}` },
    hasSecretAddress: true,
  },
  teams: {
    name: 'Microsoft Teams',
    tile: 'Te',
    hint: 'In the app Workflows choose "Send webhook alerts to a channel", or start with "When a Teams webhook request is received".',
    url: {
      label: 'Workflow address',
      hint: `Anyone must be able to trigger the workflow. Teams answers before it posts: check the channel after a test. ${KEPT_SECRET}`,
    },
    hasSecretAddress: true,
  },
  'google-chat': {
    name: 'Google Chat',
    tile: 'Gc',
    hint: 'Each problem is a thread of the space.',
    url: { label: WEBHOOK, hint: `In the space: Apps & integrations, Webhooks, Copy link. ${KEPT_SECRET}` },
    hasSecretAddress: true,
  },
  discord: {
    name: 'Discord',
    tile: 'Di',
    hint: '',
    url: { label: WEBHOOK, hint: `Channel settings, Integrations, Webhooks, Copy Webhook URL. ${KEPT_SECRET}` },
    hasSecretAddress: true,
  },
  telegram: {
    name: 'Telegram',
    tile: 'Tg',
    hint: 'Make a bot with @BotFather and add it to the group or channel.',
    url: { label: SERVER, hint: 'Change it only if you run your own Bot API server.' },
    usualUrl: 'https://api.telegram.org',
    token: { label: BOT_TOKEN, hint: 'From @BotFather: /mybots, API Token.' },
    room: {
      label: 'Chat id',
      hint: 'A number, which begins with a minus for groups, or the @name of a public channel.',
      placeholder: '-1001234567890',
    },
  },
  zulip: {
    name: 'Zulip',
    tile: 'Zu',
    hint: 'Each problem is a topic of the channel.',
    url: { label: SERVER, placeholder: 'https://your-organization.zulipchat.com' },
    account: {
      label: 'Bot’s email',
      hint: 'Settings, Bots, Add a new bot, with the type Generic or Incoming webhook.',
    },
    token: { label: 'API key' },
    room: { label: 'Channel', hint: 'Its name. Subscribe the bot if it is private.', placeholder: 'alerts' },
  },
  matrix: {
    name: 'Matrix',
    tile: 'Ma',
    hint: 'Alertdesk does not encrypt messages: choose a room without encryption.',
    url: { label: 'Homeserver', placeholder: 'https://matrix.example.com' },
    token: {
      label: ACCESS_TOKEN,
      hint: 'Of a separate account. In Element: All settings, Help & About, Access Token.',
    },
    room: {
      label: 'Room id',
      hint: 'In Element: Room settings, Advanced, Internal room ID. Invite the account and let it join.',
      placeholder: '!abcdef:example.com',
    },
  },
  ntfy: {
    name: 'ntfy',
    tile: 'nt',
    hint: '',
    url: { label: SERVER, hint: 'https://ntfy.sh, or your own server.' },
    topic: { label: 'Topic' },
    token: { label: ACCESS_TOKEN, hint: 'Only where the topic is protected.', isOptional: true },
  },
  gotify: {
    name: 'Gotify',
    tile: 'Go',
    hint: '',
    url: { label: SERVER, hint: 'The address of your Gotify server.' },
    token: { label: 'Application token' },
  },
  mail: {
    name: 'Mail list',
    tile: 'Em',
    hint: '',
    recipients: { label: 'Recipients', hint: 'They all get the same email and see each other’s addresses.' },
  },
};
