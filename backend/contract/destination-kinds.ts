import type { DestinationKind, NewDestination } from './outgoing.ts';

/** Fields of a destination that not every kind has. */
export type KindField = Extract<
  keyof NewDestination,
  | 'url'
  | 'method'
  | 'headers'
  | 'template'
  | 'topic'
  | 'room'
  | 'account'
  | 'token'
  | 'appToken'
  | 'requestSecret'
  | 'recipients'
>;

/** Fields whose value is a secret: it is never read again. */
export const SECRET_FIELDS = ['token', 'appToken', 'requestSecret'] as const satisfies KindField[];

/** What a destination of a kind consists of. */
export interface KindFacts {
  /** Fields that it has, in the order of its form, each with whether it must be there. Others are refused. */
  fields: Partial<Record<KindField, 'required' | 'optional'>>;
  /** The address lets everybody write who has it: it is kept and masked as a secret. */
  isAddressSecret?: true;
  /** Messages are signed with a secret that is made with the destination. */
  isSigned?: true;
  /** The address that most destinations of this kind have. */
  usualUrl?: string;
}

/** What each kind of destination consists of. */
export const DESTINATION_KINDS = {
  webhook: { fields: { url: 'required' }, isSigned: true },
  'slack-bot': {
    fields: { url: 'required', token: 'required', room: 'required', appToken: 'optional', requestSecret: 'optional' },
    usualUrl: 'https://slack.com/api',
  },
  'mattermost-bot': { fields: { url: 'required', token: 'required', room: 'required' } },
  slack: { fields: { url: 'required' }, isAddressSecret: true },
  teams: { fields: { url: 'required' }, isAddressSecret: true },
  'google-chat': { fields: { url: 'required' }, isAddressSecret: true },
  discord: { fields: { url: 'required' }, isAddressSecret: true },
  telegram: {
    fields: { url: 'required', token: 'required', room: 'required' },
    usualUrl: 'https://api.telegram.org',
  },
  zulip: { fields: { url: 'required', account: 'required', token: 'required', room: 'required' } },
  matrix: { fields: { url: 'required', token: 'required', room: 'required' } },
  ntfy: { fields: { url: 'required', topic: 'required', token: 'optional' } },
  gotify: { fields: { url: 'required', token: 'required' } },
  mail: { fields: { recipients: 'required' } },
  jira: { fields: { url: 'required', account: 'optional', token: 'required', room: 'required' } },
  servicenow: { fields: { url: 'required', account: 'optional', token: 'required' } },
  github: {
    fields: { url: 'required', token: 'required', room: 'required' },
    usualUrl: 'https://api.github.com',
  },
  gitlab: { fields: { url: 'required', token: 'required', room: 'required' }, usualUrl: 'https://gitlab.com' },
  zammad: { fields: { url: 'required', token: 'required' } },
  phone: {
    fields: {
      method: 'required',
      url: 'required',
      headers: 'optional',
      template: 'optional',
      token: 'optional',
      room: 'required',
    },
  },
} as const satisfies Record<DestinationKind, KindFacts>;

export const factsOf = (kind: DestinationKind): KindFacts => DESTINATION_KINDS[kind];
