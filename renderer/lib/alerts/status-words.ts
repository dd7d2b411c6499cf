import type { AlertStatus, WorkStatus } from '#backend/contract/alert.ts';

/** Label of each status. */
export const STATUS_WORDS: Record<AlertStatus, string> = {
  pending: 'Pending',
  accepted: 'Accepted',
  'in-progress': 'In Progress',
  completed: 'Completed',
};

/** The statuses that the switcher offers, in its order. */
export const WORK_STATUSES: readonly WorkStatus[] = ['accepted', 'in-progress', 'completed'];
