import type { Role } from '#backend/contract/session.ts';
import { ADMIN_ROLES, PATHS } from '#renderer/lib/paths.ts';

/** The key that lists folders after G. */
export const FOLDERS_KEY = { key: 'f', label: 'Folders' } as const;

/** Where a key leads after G. */
export interface Destination {
  key: string;
  path: string;
  label: string;
  /** Who may go there; everybody without. */
  roles?: readonly Role[];
}

export const DESTINATIONS: readonly Destination[] = [
  { key: 'i', path: PATHS.inbox, label: 'New Alerts' },
  { key: 'm', path: PATHS.myAlerts, label: 'My Alerts' },
  { key: 's', path: PATHS.snoozed, label: 'Snoozed' },
  { key: 'n', path: PATHS.insight, label: 'Insight' },
  { key: 'a', path: PATHS.allAlerts, label: 'System-Wide Alerts', roles: ADMIN_ROLES },
];

/** The destinations of a member. */
export const destinationsOf = (role: Role): readonly Destination[] =>
  DESTINATIONS.filter(({ roles }) => roles?.includes(role) ?? true);
