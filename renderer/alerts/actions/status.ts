import type { WorkStatus } from '#backend/contract/alert.ts';
import { STATUS_LABELS, WORK_STATUSES } from '#renderer/alerts/data/alert-labels.ts';
import type { AlertAction } from './action.ts';
import { statusChange } from './changes.ts';
import * as texts from './texts.ts';

/** Gives an alert of one's own a status; the switcher stands for it in menus. */
const statusAction = (id: string, key: string, label: string, status: WorkStatus): AlertAction => ({
  id,
  label,
  key,
  group: texts.act,
  lists: ['queue'],
  isOffered: ({ ownerId }, { me }) => ownerId === me.id,
  inMenu: false,
  many: 'change',
  change: () => statusChange(status),
});

export const COMPLETE = statusAction('complete', 'e', 'Complete', 'completed');

/** One for each status, in the order of the switcher. */
export const STATUSES: readonly AlertAction[] = WORK_STATUSES.map((status, index) =>
  statusAction(`status-${status}`, String(index + 1), STATUS_LABELS[status], status),
);
