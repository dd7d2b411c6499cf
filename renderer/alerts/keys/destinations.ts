import type { Keyed } from '#renderer/alerts/actions/action.ts';
import type { Role } from '#backend/contract/session.ts';
import { ADMIN_ROLES, PATHS } from '#renderer/lib/paths.ts';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';

/** The key that lists folders after G. */
export const FOLDERS_KEY = { key: 'f', label: common.folders } as const;

/** Hands over what is open in one's queue, from any page. */
export const HAND_OVER_KEY = { key: 'h', isShifted: true, label: common.handOverMyQueue } as const satisfies Keyed;

/** Fetches the dialog of that. */
export const loadHandOver = async () => (await import('#renderer/alerts/assign/hand-over-dialog.tsx')).HandOverDialog;

/** The id of the bell in the header. */
export const BELL_ID = 'bell';

/** Opens the bell, wherever the focus is. */
const openBell = (): void => document.querySelector<HTMLElement>(`#${BELL_ID}[aria-expanded="false"]`)?.click();

/** Where a key leads after G: a path, or something that opens over the screen. */
export interface Destination {
  key: string;
  to: string | (() => void);
  label: string;
  /** Who may go there; everybody without. */
  roles?: readonly Role[];
}

export const DESTINATIONS: readonly Destination[] = [
  { key: 'i', to: PATHS.inbox, label: common.newAlerts },
  { key: 'm', to: PATHS.myAlerts, label: common.myAlerts },
  { key: 's', to: PATHS.snoozed, label: common.snoozed },
  { key: 't', to: PATHS.insight, label: common.insight },
  { key: 'a', to: PATHS.allAlerts, label: common.systemWideAlerts, roles: ADMIN_ROLES },
  { key: 'n', to: openBell, label: texts.forYou },
];

/** The destinations of a member. */
export const destinationsOf = (role: Role): readonly Destination[] =>
  DESTINATIONS.filter(({ roles }) => roles?.includes(role) ?? true);
