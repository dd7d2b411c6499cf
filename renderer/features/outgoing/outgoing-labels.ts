import type { DestinationHealth, OutgoingEvent } from '#backend/contract/outgoing.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as outgoingTexts from './texts.ts';

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

/** The pages about what goes out, which are tabs of each other. */
export const OUTGOING_PAGES = [
  { to: `${PATHS.outgoing}/destinations`, title: outgoingTexts.destinations },
  { to: `${PATHS.outgoing}/rules`, title: outgoingTexts.rules },
  { to: `${PATHS.outgoing}/groups`, title: outgoingTexts.groups },
  { to: `${PATHS.outgoing}/calendars`, title: outgoingTexts.calendars },
] as const;

export const pathOfDestination = (id: string): string => `${PATHS.outgoing}/destinations/${encodeURIComponent(id)}`;
export const pathOfRule = (id: string): string => `${PATHS.outgoing}/rules/${encodeURIComponent(id)}`;

export const pathOfGroup = (id: string): string => `${PATHS.outgoing}/groups/${encodeURIComponent(id)}`;
export const pathOfCalendar = (id: string): string => `${PATHS.outgoing}/calendars/${encodeURIComponent(id)}`;

/** Destinations that need somebody come first. */
const ORDER: readonly DestinationHealth[] = ['failing', 'slowed', 'ok', 'never-used', 'paused'];
export const byHealth = (one: DestinationHealth, other: DestinationHealth): number =>
  ORDER.indexOf(one) - ORDER.indexOf(other);

export const needsAttention = (health: DestinationHealth): boolean => health === 'failing' || health === 'slowed';
