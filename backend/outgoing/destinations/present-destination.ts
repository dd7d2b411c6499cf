import type { Destination, DestinationHealth } from '#backend/contract/outgoing.ts';
import { isTicketSystem } from '#backend/contract/ticket.ts';
import { CIRCUIT_FAILURES, isWaiting } from './backoff.ts';
import { type ConnectionState, type StoredDestination, readSettings } from './destination-entity.ts';

/** What is counted of a destination. */
export interface DestinationUse {
  /** Messages of each of the last 24 hours, the oldest first. */
  sent: number[];
  waiting: number;
  notDelivered: number;
  usedBy: { id: string; name: string }[];
  /** Confirmed phones of members that are reached through it. */
  phones: number;
}

const isoOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** A destination as administrators read it. */
export function presentDestination(
  stored: StoredDestination,
  { phones, ...use }: DestinationUse,
  now: number,
): Destination {
  const {
    url,
    method,
    headers,
    template,
    topic,
    room,
    account,
    recipients,
    customers,
    ticketTemplates,
    completesAlert,
  } = readSettings(stored);
  const health = healthOf(stored, now);
  const isTroubled = health === 'slowed' || health === 'failing';
  return {
    id: stored.id,
    kind: stored.kind,
    name: stored.name,
    version: stored.version,
    url,
    ...(method !== null && {
      method: method as Destination['method'],
      headers: headers ?? '',
      template: template ?? '',
    }),
    topic,
    room,
    account,
    recipients,
    customers,
    ...(isTicketSystem(stored.kind) && { ticketTemplates, completesAlert }),
    secretHint: stored.secretHint,
    ...(stored.otherHints !== null && { otherHints: JSON.parse(stored.otherHints) as Destination['otherHints'] }),
    ...presentConnection(stored.connection),
    oldSecretUntil: isoOf(stored.oldSecretUntil !== null && stored.oldSecretUntil > now ? stored.oldSecretUntil : null),
    isPaused: stored.pausedAt !== null,
    health,
    ...(isTroubled && stored.reason !== null && { reason: stored.reason }),
    ...(health === 'paused' && stored.pausedBy !== null && { reason: `By ${stored.pausedBy}` }),
    ...(isTroubled &&
      stored.retryAt !== null &&
      isWaiting(stored.retryAt, now) && { retryAt: new Date(stored.retryAt).toISOString() }),
    ...(health === 'failing' &&
      stored.failingSince !== null && { failingSince: new Date(stored.failingSince).toISOString() }),
    ...use,
    ...(stored.kind === 'phone' && { phones }),
    lastSentAt: isoOf(stored.lastSentAt),
    createdAt: new Date(stored.createdAt).toISOString(),
  };
}

/** How a destination is doing, by its last attempts. */
export function healthOf(
  { pausedAt, failures, retryAt, lastSentAt, reason }: StoredDestination,
  now: number,
): DestinationHealth {
  if (pausedAt !== null) return 'paused';
  if (failures >= CIRCUIT_FAILURES) return 'failing';
  if (failures > 0 || (reason !== null && isWaiting(retryAt, now))) return 'slowed';
  return lastSentAt === null ? 'never-used' : 'ok';
}

/** How the connection by which presses of buttons come is doing, where there is one. */
function presentConnection(stored: string | null): Pick<Destination, 'connection'> {
  if (stored === null) return {};
  const { isUp, since, reason } = JSON.parse(stored) as ConnectionState;
  return {
    connection: { isUp, since: new Date(since).toISOString(), ...(reason !== undefined && { reason }) },
  };
}
