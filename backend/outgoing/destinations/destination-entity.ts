import { EntitySchema } from 'typeorm';
import type { DestinationKind } from '#backend/contract/outgoing.ts';
import type { TicketTemplates } from '#backend/contract/ticket.ts';
import type { HttpMethod } from './post.ts';
import {
  idColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
} from '#backend/platform/database/columns.ts';
import { type Sealing, openOrNone } from '#backend/platform/secrets/sealing.ts';

/** A stored destination. Its health is written by the server that sends, and leaves the version as it is. */
export interface StoredDestination {
  id: string;
  kind: DestinationKind;
  name: string;
  /** The name as it is compared: no two destinations have the same, those of a member beside each other. */
  nameKey: string;
  /** Whose own channel it is: ladders alone lead there. Null of what administrators set up. */
  ownerId: string | null;
  /** {@link DestinationSettings} as JSON. */
  settings: string;
  /** {@link DestinationSecrets} as JSON, encrypted for the destination's id; null where it has none. */
  sealed: string | null;
  /** Last four characters of the secret. */
  secretHint: string | null;
  /** Last four characters of {@link HintedSecret}s, as JSON; null where there is none. */
  otherHints: string | null;
  /** {@link ConnectionState} as JSON, where presses of buttons come by a connection; written by the server that leads. */
  connection: string | null;
  /** Until when messages are signed with the secret before, too. */
  oldSecretUntil: number | null;
  pausedAt: number | null;
  /** Display name of the administrator who paused it. */
  pausedBy: string | null;
  /** Attempts that failed in a row. */
  failures: number;
  failingSince: number | null;
  /** Nothing is sent before this moment: it failed, or asked to wait. */
  retryAt: number | null;
  /** Why the last attempt failed; null after one that did not. */
  reason: string | null;
  lastSentAt: number | null;
  /** When administrators were alerted to its failure; null while there is none. */
  alarmedAt: number | null;
  createdAt: number;
  version: number;
}

/** Secrets beside the one that people know a destination by. */
export const HINTED_SECRETS = ['appToken', 'requestSecret'] as const;
export type HintedSecret = (typeof HINTED_SECRETS)[number];

/** How the connection of a destination is doing. `reason` is there while it is not up. */
export interface ConnectionState {
  isUp: boolean;
  /** In milliseconds since the epoch. */
  since: number;
  reason?: string;
}

/** Longest reason that is kept, in characters. */
export const MAX_REASON = 300;

export const DestinationEntity = new EntitySchema<StoredDestination>({
  name: 'OutgoingDestination',
  tableName: 'outgoing_destinations',
  columns: {
    id: primary(idColumn('id')),
    kind: textColumn('kind', 16),
    name: textColumn('name', 100),
    nameKey: textColumn('name_key', 200),
    ownerId: nullable(idColumn('owner_id')),
    settings: longTextColumn('settings'),
    sealed: nullable(longTextColumn('sealed')),
    secretHint: nullable(textColumn('secret_hint', 8)),
    otherHints: nullable(textColumn('other_hints', 100)),
    connection: nullable(textColumn('connection', 400)),
    oldSecretUntil: nullable(timeColumn('old_secret_until')),
    pausedAt: nullable(timeColumn('paused_at')),
    pausedBy: nullable(textColumn('paused_by', 100)),
    failures: { type: 'int', name: 'failures' },
    failingSince: nullable(timeColumn('failing_since')),
    retryAt: nullable(timeColumn('retry_at')),
    reason: nullable(textColumn('reason', MAX_REASON)),
    lastSentAt: nullable(timeColumn('last_sent_at')),
    alarmedAt: nullable(timeColumn('alarmed_at')),
    createdAt: timeColumn('created_at'),
    version: { type: 'int', name: 'version' },
  },
});

/** Messages that a destination was sent in one hour. */
export interface StoredOutgoingCount {
  destinationId: string;
  /** Hours since the epoch. */
  hour: number;
  sent: number;
}

export const OutgoingCountEntity = new EntitySchema<StoredOutgoingCount>({
  name: 'OutgoingCount',
  tableName: 'outgoing_counts',
  columns: {
    destinationId: primary(idColumn('destination_id')),
    hour: { type: 'int', name: 'hour', primary: true },
    sent: { type: 'int', name: 'sent' },
  },
});

/** What a destination is besides its secrets. */
export interface DestinationSettings {
  /** Null where the address itself is the secret. */
  url: string | null;
  /** How a phone gateway is asked: templates. */
  method: HttpMethod | null;
  headers: string | null;
  template: string | null;
  /** The gateway by which a member's own phone is reached; null of everything else. */
  gatewayId: string | null;
  topic: string | null;
  /** Where on the server: a chat, channel or room. */
  room: string | null;
  /** By what account messages are sent. */
  account: string | null;
  recipients: string[];
  /** Names of the customers that it may be sent alerts of; empty for all. */
  customers: string[];
  /** Of ticket systems: the templates that are written. */
  ticketTemplates: TicketTemplates;
  /** Of ticket systems: an alert is completed when its ticket is closed. */
  completesAlert: boolean;
}

/** What of a destination is never shown. */
export interface DestinationSecrets {
  /** The address of an incoming webhook, which lets everybody write who has it. */
  url?: string;
  token?: string;
  /** Opens the connection by which presses of buttons come. */
  appToken?: string;
  /** Signs requests that bring presses of buttons. */
  requestSecret?: string;
  /** Proves that a button was made here. */
  actionSecret?: string;
  /** `whsec_…`: signs messages, and the one before it for a while. */
  signingSecret?: string;
  oldSigningSecret?: string;
  /** The code that a member has to enter before their own channel is used, until when, and how often it may be. */
  confirmation?: string;
}

/** A destination with its secrets, ready to be sent to. */
export interface Target extends DestinationSettings {
  id: string;
  kind: DestinationKind;
  name: string;
  secrets: DestinationSecrets;
  /** Until when the signing secret before is used, too. */
  oldSecretUntil: number | null;
}

/** What every destination has: a row may be older than a setting. */
export const NO_SETTINGS: DestinationSettings = {
  url: null,
  method: null,
  headers: null,
  template: null,
  gatewayId: null,
  topic: null,
  room: null,
  account: null,
  recipients: [],
  customers: [],
  ticketTemplates: {},
  completesAlert: true,
};

export const readSettings = ({ settings }: Pick<StoredDestination, 'settings'>): DestinationSettings => ({
  ...NO_SETTINGS,
  ...(JSON.parse(settings) as Partial<DestinationSettings>),
});

/** @throws when the secrets were sealed under a key that is not here */
export const readSecrets = (
  sealing: Sealing,
  { id, sealed }: Pick<StoredDestination, 'id' | 'sealed'>,
): DestinationSecrets => (sealed === null ? {} : (JSON.parse(sealing.open(sealed, id)) as DestinationSecrets));

/** As {@link readSecrets}; undefined where they were sealed under a key that is not here: they have to be entered again. */
export function openSecrets(
  sealing: Sealing,
  { id, sealed }: Pick<StoredDestination, 'id' | 'sealed'>,
): DestinationSecrets | undefined {
  if (sealed === null) return {};
  const opened = openOrNone(sealing, sealed, id);
  return opened === undefined ? undefined : (JSON.parse(opened) as DestinationSecrets);
}

/** @throws as {@link readSecrets} does */
export const targetOf = (sealing: Sealing, stored: StoredDestination): Target => ({
  ...readSettings(stored),
  id: stored.id,
  kind: stored.kind,
  name: stored.name,
  secrets: readSecrets(sealing, stored),
  oldSecretUntil: stored.oldSecretUntil,
});

/** How customers are compared. */
export const customerKeyOf = (name: string): string => name.trim().toLowerCase();

/** Whether a destination may be sent alerts of a customer. */
export const mayHear = ({ customers }: Pick<DestinationSettings, 'customers'>, customer: string | null): boolean =>
  customers.length === 0 ||
  (customer !== null && customers.some((name) => customerKeyOf(name) === customerKeyOf(customer)));
