import type { Alert } from '#backend/contract/alert.ts';
import { alertName } from '#renderer/lib/alerts/alert-name.ts';

/** Says which alert a dialog is about. */
export const AlertSubject = ({ alert }: { alert: Alert }) => (
  <p className="ad-dialog-alert" dir="auto">
    {alertName(alert)}
  </p>
);
