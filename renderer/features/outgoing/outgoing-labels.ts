import type { DestinationHealth, DestinationKind, OutgoingEvent } from '#backend/contract/outgoing.ts';
import { PATHS } from '#renderer/lib/paths.ts';

/** What kinds are called, their tile, and what their addresses are. */
export const KIND_LABELS: Record<DestinationKind, { name: string; tile: string; address: string; hint: string }> = {
  webhook: {
    name: 'Webhook',
    tile: 'Wh',
    address: 'Address',
    hint: 'Receives signed JSON by the Standard Webhooks specification.',
  },
  slack: {
    name: 'Slack or Mattermost',
    tile: 'Sl',
    address: 'Incoming webhook',
    hint: 'The address of an incoming webhook of Slack, Mattermost or Rocket.Chat. It is kept as a secret.',
  },
  discord: {
    name: 'Discord',
    tile: 'Di',
    address: 'Webhook',
    hint: 'Channel settings, Integrations, Webhooks, Copy Webhook URL. It is kept as a secret.',
  },
  ntfy: { name: 'ntfy', tile: 'nt', address: 'Server', hint: 'Such as https://ntfy.sh or a server of your own.' },
  gotify: { name: 'Gotify', tile: 'Go', address: 'Server', hint: 'The address of your Gotify server.' },
  mail: { name: 'Mail list', tile: 'Em', address: '', hint: '' },
};

/** Fields of each kind's form. */
export const KIND_FIELDS: Record<
  DestinationKind,
  { url: boolean; topic: boolean; token?: string; recipients: boolean }
> = {
  webhook: { url: true, topic: false, recipients: false },
  slack: { url: true, topic: false, recipients: false },
  discord: { url: true, topic: false, recipients: false },
  ntfy: { url: true, topic: true, token: 'Access token', recipients: false },
  gotify: { url: true, topic: false, token: 'Application token', recipients: false },
  mail: { url: false, topic: false, recipients: true },
};

/** Kinds whose address is their secret: it is never shown again. */
export const HAS_SECRET_ADDRESS: ReadonlySet<DestinationKind> = new Set(['slack', 'discord']);

export const HEALTH_LABELS: Record<DestinationHealth, string> = {
  ok: 'OK',
  slowed: 'Slowed down',
  failing: 'Failing',
  paused: 'Paused',
  'never-used': 'Never used',
};

export const EVENT_LABELS: Record<OutgoingEvent, string> = {
  new: 'New',
  escalated: 'Escalated',
  accepted: 'Accepted',
  completed: 'Completed',
  note: 'Notes',
};

/** The pages about what goes out, which are tabs of each other. */
export const OUTGOING_PAGES = [
  { to: `${PATHS.outgoing}/destinations`, title: 'Destinations' },
  { to: `${PATHS.outgoing}/rules`, title: 'Rules' },
] as const;

export const pathOfDestination = (id: string): string => `${PATHS.outgoing}/destinations/${encodeURIComponent(id)}`;
export const pathOfRule = (id: string): string => `${PATHS.outgoing}/rules/${encodeURIComponent(id)}`;

/** Destinations that need somebody come first. */
const ORDER: readonly DestinationHealth[] = ['failing', 'slowed', 'ok', 'never-used', 'paused'];
export const byHealth = (one: DestinationHealth, other: DestinationHealth): number =>
  ORDER.indexOf(one) - ORDER.indexOf(other);

export const needsAttention = (health: DestinationHealth): boolean => health === 'failing' || health === 'slowed';
