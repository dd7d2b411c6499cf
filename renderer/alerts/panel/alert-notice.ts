import type { Alert } from '#backend/contract/alert.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';

/** What decides how the reader stands to an alert. */
interface NoticeFacts {
  isDeleted: boolean;
  isUnavailable: boolean;
  isMine: boolean;
  seesAll: boolean;
}

/** The sentence about an alert that the reader can do nothing with any more, or that is somebody else's. */
export function noticeOf(alert: Alert, { isDeleted, isUnavailable, isMine, seesAll }: NoticeFacts): string | undefined {
  if (isDeleted) return 'This alert was deleted.';
  if (alert.ownerId !== undefined && !isMine) {
    const owner = alert.ownerName === undefined ? 'somebody else' : inertLine(alert.ownerName);
    return seesAll
      ? `This alert is with ${owner}.`
      : `Accepted by ${owner}. What is shown here is not updated any more.`;
  }
  if (alert.status === 'completed' && alert.ownerId === undefined) {
    return 'Resolved by its sender before anybody accepted it.';
  }
  return isUnavailable ? 'This alert is not available any more.' : undefined;
}
