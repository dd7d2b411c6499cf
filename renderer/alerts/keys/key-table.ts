import type { Role } from '#backend/contract/session.ts';
import { ADMIN_ROLES, PATHS } from '#renderer/lib/paths.ts';

/** What a key can ask for in a list of alerts. */
export type KeyAction =
  | 'next'
  | 'previous'
  | 'accept'
  | 'complete'
  | 'status-accepted'
  | 'status-in-progress'
  | 'status-completed'
  | 'unaccept'
  | 'move'
  | 'assign'
  | 'snooze'
  | 'wake'
  | 'mute'
  | 'delete'
  | 'history'
  | 'note'
  | 'select'
  | 'extend';

/** One row of the table of keys. */
export interface KeyBinding {
  /** As `KeyboardEvent.key` has it, in lower case. */
  key: string;
  isShifted?: true;
  action: KeyAction;
  /** What it does, in the sheet of keys. */
  label: string;
  group: 'Move' | 'Act' | 'Select' | 'Look';
}

/** Every single key of the lists: what handles, shows and explains keys reads this. */
export const KEY_TABLE: readonly KeyBinding[] = [
  { key: 'j', action: 'next', label: 'Next', group: 'Move' },
  { key: 'k', action: 'previous', label: 'Previous', group: 'Move' },
  { key: 'a', action: 'accept', label: 'Accept', group: 'Act' },
  { key: 'e', action: 'complete', label: 'Complete', group: 'Act' },
  { key: '1', action: 'status-accepted', label: 'Accepted', group: 'Act' },
  { key: '2', action: 'status-in-progress', label: 'In Progress', group: 'Act' },
  { key: '3', action: 'status-completed', label: 'Completed', group: 'Act' },
  { key: 'u', action: 'unaccept', label: 'Unaccept', group: 'Act' },
  { key: 'm', action: 'move', label: 'Move', group: 'Act' },
  { key: 'a', isShifted: true, action: 'assign', label: 'Assign', group: 'Act' },
  { key: 's', action: 'snooze', label: 'Snooze', group: 'Act' },
  { key: 'w', action: 'wake', label: 'Wake now', group: 'Act' },
  { key: 'l', action: 'mute', label: 'Mute', group: 'Act' },
  { key: '#', action: 'delete', label: 'Delete', group: 'Act' },
  { key: 'h', action: 'history', label: 'History', group: 'Look' },
  { key: 'c', action: 'note', label: 'Write a note', group: 'Look' },
  { key: 'x', action: 'select', label: 'Select, deselect', group: 'Select' },
  { key: 'x', isShifted: true, action: 'extend', label: 'Extend', group: 'Select' },
];

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

/** What a key press asks for; undefined for nothing. `#` needs Shift on most keyboards. */
export function actionOfKey({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): KeyAction | undefined {
  const pressed = key.toLowerCase();
  const isLetter = pressed.length === 1 && pressed !== key.toUpperCase();
  return KEY_TABLE.find((one) => one.key === pressed && (!isLetter || (one.isShifted ?? false) === shiftKey))?.action;
}

/** The key of an action as it is shown: "A", "⇧X". */
export function keyLabel(action: KeyAction): string {
  const { key = '', isShifted } = KEY_TABLE.find((one) => one.action === action) ?? {};
  return `${isShifted ? '⇧' : ''}${key.toUpperCase()}`;
}
