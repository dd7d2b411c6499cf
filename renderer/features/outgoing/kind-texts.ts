import type { DESTINATION_KINDS, KindField } from '#backend/contract/destination-kinds.ts';
import type { DestinationKind } from '#backend/contract/outgoing.ts';
import * as texts from './destinations-texts.tsx';

/** A field of a kind's form: what it is called there, and what is to be known of it. */
export interface FieldText {
  label: string;
  hint?: string;
  placeholder?: string;
}

/** What a kind is called, and the fields of its form. */
interface KindTexts<Field extends KindField> {
  name: string;
  /** The letters of its tile. */
  tile: string;
  /** What a destination of this kind is. */
  hint: string;
  fields: Record<Field, FieldText>;
}

const SERVER = 'Server';
const ACCESS_TOKEN = 'Access token';
const CHANNEL_ID = 'Channel id';
const BOT_TOKEN = 'Bot token';
const WEBHOOK = 'Webhook';
const KEPT_SECRET = 'It is kept as a secret.';

/** Kinds of destinations, as administrators read them: a text for each field that a kind has. */
const KIND_TEXTS: {
  [Kind in DestinationKind]: KindTexts<keyof (typeof DESTINATION_KINDS)[Kind]['fields'] & KindField>;
} = {
  webhook: {
    name: WEBHOOK,
    tile: 'Wh',
    hint: 'Receives JSON that is signed as the Standard Webhooks specification says.',
    fields: { url: { label: 'Address' } },
  },
  'slack-bot': {
    name: 'Slack app, with buttons',
    tile: 'Sl',
    hint: 'One message for each problem, changed in place. The app needs the bot scopes chat:write, channels:history, groups:history, users:read and users:read.email.',
    fields: {
      url: { label: 'Web API', hint: 'For GovSlack, use https://slack-gov.com/api.' },
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
  },
  'mattermost-bot': {
    name: 'Mattermost bot, with buttons',
    tile: 'Mm',
    hint: 'One message for each problem, changed in place. Mattermost must be able to reach this server for its buttons.',
    fields: {
      url: { label: SERVER, placeholder: 'https://mattermost.example.com' },
      token: { label: ACCESS_TOKEN, hint: 'Of a bot account: Integrations, Bot Accounts, Create New Token.' },
      room: { label: CHANNEL_ID, hint: 'The channel’s menu, View Info, at the very end. Add the bot to the channel.' },
    },
  },
  slack: {
    name: 'Slack, Mattermost or Rocket.Chat',
    tile: 'Sl',
    hint: 'Rocket.Chat: Administration, Integrations, New, Incoming, without a script.',
    fields: {
      url: {
        label: 'Incoming webhook',
        hint: `The address of an incoming webhook of any of the three. ${KEPT_SECRET}`,
      },
    },
  },
  teams: {
    name: 'Microsoft Teams',
    tile: 'Te',
    hint: 'In the app Workflows choose "Send webhook alerts to a channel", or start with "When a Teams webhook request is received".',
    fields: {
      url: {
        label: 'Workflow address',
        hint: `Anyone must be able to trigger the workflow. Teams answers before it posts: check the channel after a test. ${KEPT_SECRET}`,
      },
    },
  },
  'google-chat': {
    name: 'Google Chat',
    tile: 'Gc',
    hint: 'Each problem is a thread of the space.',
    fields: {
      url: { label: WEBHOOK, hint: `In the space: Apps & integrations, Webhooks, Copy link. ${KEPT_SECRET}` },
    },
  },
  discord: {
    name: 'Discord',
    tile: 'Di',
    hint: '',
    fields: {
      url: { label: WEBHOOK, hint: `Channel settings, Integrations, Webhooks, Copy Webhook URL. ${KEPT_SECRET}` },
    },
  },
  telegram: {
    name: 'Telegram',
    tile: 'Tg',
    hint: 'Make a bot with @BotFather and add it to the group or channel.',
    fields: {
      url: { label: SERVER, hint: 'Change it only if you run your own Bot API server.' },
      token: { label: BOT_TOKEN, hint: 'From @BotFather: /mybots, API Token.' },
      room: {
        label: 'Chat id',
        hint: 'A number, which begins with a minus for groups, or the @name of a public channel.',
        placeholder: '-1001234567890',
      },
    },
  },
  zulip: {
    name: 'Zulip',
    tile: 'Zu',
    hint: 'Each problem is a topic of the channel.',
    fields: {
      url: { label: SERVER, placeholder: 'https://your-organization.zulipchat.com' },
      account: {
        label: 'Bot’s email',
        hint: 'Settings, Bots, Add a new bot, with the type Generic or Incoming webhook.',
      },
      token: { label: 'API key' },
      room: { label: 'Channel', hint: 'Its name. Subscribe the bot if it is private.', placeholder: 'alerts' },
    },
  },
  matrix: {
    name: 'Matrix',
    tile: 'Ma',
    hint: 'Alertdesk does not encrypt messages: choose a room without encryption.',
    fields: {
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
  },
  ntfy: {
    name: 'ntfy',
    tile: 'nt',
    hint: '',
    fields: {
      url: { label: SERVER, hint: 'https://ntfy.sh, or your own server.' },
      topic: { label: 'Topic' },
      token: { label: ACCESS_TOKEN, hint: 'Only where the topic is protected.' },
    },
  },
  gotify: {
    name: 'Gotify',
    tile: 'Go',
    hint: '',
    fields: {
      url: { label: SERVER, hint: 'The address of your Gotify server.' },
      token: { label: 'Application token' },
    },
  },
  mail: {
    name: 'Mail list',
    tile: 'Em',
    hint: '',
    fields: {
      recipients: { label: 'Recipients', hint: 'They all get the same email and see each other’s addresses.' },
    },
  },
  jira: {
    name: 'Jira',
    tile: 'Ji',
    hint: 'One ticket for each problem. The account needs Browse Projects, Create Issues, Add Comments and Transition Issues in the project.',
    fields: {
      url: {
        label: 'Site',
        hint: 'Of Jira Cloud, or of your own Jira Data Center.',
        placeholder: 'https://your-site.atlassian.net',
      },
      account: {
        label: 'Email',
        hint: 'Of the API token. Leave it empty for a personal access token of Jira Data Center.',
      },
      token: {
        label: 'API token',
        hint: 'Jira Cloud: Account settings, Security, API tokens. Data Center: Profile, Personal Access Tokens.',
      },
      room: { label: 'Project key', placeholder: 'OPS' },
    },
  },
  servicenow: {
    name: 'ServiceNow',
    tile: 'Sn',
    hint: 'One incident for each problem. The user needs the role itil, or rights to create, read and write incidents.',
    fields: {
      url: { label: 'Instance', placeholder: 'https://your-instance.service-now.com' },
      account: { label: 'User name', hint: 'Of the password. Leave it empty for an OAuth token.' },
      token: { label: 'Password or token' },
    },
  },
  github: {
    name: 'GitHub issues',
    tile: 'Gh',
    hint: 'One issue for each problem. A fine-grained token for the repository with Issues: Read and write is enough.',
    fields: {
      url: { label: 'API', hint: 'For GitHub Enterprise Server, use https://your-server/api/v3.' },
      token: { label: 'Token', hint: 'Settings, Developer settings, Personal access tokens, Fine-grained tokens.' },
      room: { label: 'Repository', placeholder: 'owner/name' },
    },
  },
  gitlab: {
    name: 'GitLab issues',
    tile: 'Gl',
    hint: 'One issue for each problem. A project access token with the scope api and the role Reporter is enough.',
    fields: {
      url: { label: SERVER, hint: 'https://gitlab.com, or your own server.' },
      token: { label: 'Token', hint: 'Of the project: Settings, Access tokens.' },
      room: { label: 'Project', hint: 'Its path or its number.', placeholder: 'group/name' },
    },
  },
  zammad: {
    name: 'Zammad',
    tile: 'Za',
    hint: 'One ticket for each problem. The token needs ticket.agent, and its user the rights create, change and read in the group.',
    fields: {
      url: { label: SERVER, placeholder: 'https://zammad.example.com' },
      token: { label: ACCESS_TOKEN, hint: 'Profile, Token Access.' },
    },
  },
  phone: {
    name: 'Phone gateway (text messages, calls)',
    tile: 'Ph',
    hint: 'Any service that takes one request for each message. Members can choose it for their own phones in Settings.',
    fields: {
      method: { label: 'Method' },
      url: { label: 'Address', placeholder: 'https://sms.example.com/messages' },
      headers: {
        label: 'Headers',
        hint: 'One a line. {{secret}} stands for the secret below, {{secret | base64}} for Basic authentication.',
        placeholder: 'Content-Type: application/x-www-form-urlencoded\nAuthorization: Basic {{secret | base64}}',
      },
      template: {
        label: 'Body',
        hint: '{{number}}, {{text}}, {{title}} and {{link}} are escaped as the content type says: as JSON or as a form.',
        placeholder: 'To={{number}}&From=%2B15005550006&Body={{text}}',
      },
      token: { label: 'Secret', hint: 'It is kept apart from the templates, and never shown again.' },
      room: {
        label: 'Phone number',
        hint: 'Rules notify this number, and tests go there. Write it with its country.',
        placeholder: '+49301234567',
      },
    },
  },
};

export const kindTexts = (kind: DestinationKind): KindTexts<never> => KIND_TEXTS[kind];

/** What the fields of a kind's form are called, in their order. */
export const fieldTexts = (kind: DestinationKind): Partial<Record<KindField, FieldText>> => KIND_TEXTS[kind].fields;
