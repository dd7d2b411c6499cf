import { ACCEPT, ACCEPT_AND_COMPLETE, ACCEPT_AND_START } from './accept.ts';
import type { Alert } from '#backend/contract/alert.ts';
import type { AlertAction, Keyed, ListKind } from './action.ts';
import type { Actions } from './change-alert.ts';
import { ASSIGN } from './assign.ts';
import { COPY_LINK } from './copy-link.ts';
import { DELETE } from './delete.ts';
import { HISTORY, NOTE } from './look.ts';
import { MAKE_RULE } from './make-rule.ts';
import { MOVE, UNFILE } from './move.ts';
import { MUTE } from './mute.ts';
import { SNOOZE } from './snooze.ts';
import { COMPLETE, STATUSES } from './status.ts';
import { RETURN } from './unaccept.ts';
import { WAKE_NOW } from './wake.ts';
import * as texts from './texts.ts';

/** Everything that can be done with alerts, in the order of menus, the palette and the sheet of keys. */
export const ACTIONS: readonly AlertAction[] = [
  ACCEPT,
  ACCEPT_AND_START,
  ACCEPT_AND_COMPLETE,
  COMPLETE,
  ...STATUSES,
  RETURN,
  UNFILE,
  MOVE,
  ASSIGN,
  SNOOZE,
  WAKE_NOW,
  MUTE,
  MAKE_RULE,
  NOTE,
  HISTORY,
  COPY_LINK,
  DELETE,
];

/** What keys do with the list itself. */
export const LIST_KEYS = {
  next: { id: 'next', key: 'j', label: texts.next },
  previous: { id: 'previous', key: 'k', label: texts.previous },
  select: { id: 'select', key: 'x', label: texts.selectDeselect },
  extend: { id: 'extend', key: 'x', isShifted: true, label: texts.extend },
} as const satisfies Record<string, Keyed & { id: string }>;

export type ListKey = keyof typeof LIST_KEYS;

/** What a key press asks for; undefined for nothing. `#` needs Shift on most keyboards. */
export function ofKey<Of extends Keyed>(all: readonly Of[], { key, shiftKey }: KeyPress): Of | undefined {
  const pressed = key.toLowerCase();
  const isLetter = pressed.length === 1 && pressed !== key.toUpperCase();
  return all.find((one) => one.key === pressed && (!isLetter || (one.isShifted ?? false) === shiftKey));
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'shiftKey'>;

/** The actions of a kind of list. */
export const actionsOf = (list: ListKind): readonly AlertAction[] =>
  ACTIONS.filter(({ lists }) => lists.includes(list));

/** The key of something as it is shown: "A", "⇧X". */
export const keyLabel = ({ key = '', isShifted }: Pick<Keyed, 'key' | 'isShifted'>): string =>
  `${isShifted ? '⇧' : ''}${key.toUpperCase()}`;

/** What of all actions is on offer for an alert in a card's menu. */
export const menuActionsFor = (alert: Alert, { offers }: Pick<Actions, 'offers'>): readonly AlertAction[] =>
  ACTIONS.filter((action) => action.inMenu !== false && offers(action, alert));
