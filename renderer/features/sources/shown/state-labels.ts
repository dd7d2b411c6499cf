import type { AlertState } from '#backend/contract/alert.ts';

/** Label of each state that a sender reports. */
export const STATE_LABELS: Record<AlertState, string> = {
  firing: 'Firing',
  acknowledged: 'Acknowledged',
  resolved: 'Resolved',
  event: 'Event',
};
