import type { DestinationHealth, OutgoingEvent } from '#backend/contract/outgoing.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';

export const HEALTH_LABELS: Record<DestinationHealth, string> = {
  ok: 'OK',
  slowed: 'Slowed down',
  failing: 'Failing',
  paused: 'Paused',
  'never-used': pageTexts.neverUsed,
};

export const EVENT_LABELS: Record<OutgoingEvent, string> = {
  new: 'New',
  escalated: 'Escalated',
  accepted: 'Accepted',
  completed: 'Completed',
  note: 'Notes',
};

/** Destinations that need somebody come first. */
const ORDER: readonly DestinationHealth[] = ['failing', 'slowed', 'ok', 'never-used', 'paused'];
export const byHealth = (one: DestinationHealth, other: DestinationHealth): number =>
  ORDER.indexOf(one) - ORDER.indexOf(other);

export const needsAttention = (health: DestinationHealth): boolean => health === 'failing' || health === 'slowed';
