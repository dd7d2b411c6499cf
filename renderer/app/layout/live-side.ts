import type { Alert } from '#backend/contract/alert.ts';
import { changeAlert, useChangeDeps } from '#renderer/alerts/actions/change-alert.ts';
import { statusChange } from '#renderer/alerts/actions/changes.ts';
import { loadDesktopChannel } from '#renderer/desktop/bridge.ts';
import { useLiveConnection } from '#renderer/live/live-connection.ts';
import { useAnnouncements } from '#renderer/notifications/use-announcements.ts';

/** Keeps the signed-in screens live, and announces what is news. Draws nothing. */
export function LiveSide(): null {
  const deps = useChangeDeps();
  const complete = (alert: Alert): void => void changeAlert(deps, alert, statusChange('completed'));
  useLiveConnection(useAnnouncements(complete, loadDesktopChannel));
  return null;
}
