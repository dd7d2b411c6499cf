import type { Alert } from '#backend/contract/alert.ts';

/** Fetches the dialog that asks what of an alert to mute, and for how long. */
export const loadMuteDialog = async () => (await import('./mute-dialog.tsx')).MuteDialog;

/** Whether an alert has anything that can be muted. */
export const hasMutable = ({ alertType, customer, sourceId }: Alert): boolean =>
  alertType !== null || customer !== null || sourceId !== undefined;
