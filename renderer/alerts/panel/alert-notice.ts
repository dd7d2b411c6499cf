import type { Alert } from '#backend/contract/alert.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';

/** What decides how the reader stands to an alert. */
interface NoticeFacts {
  isDeleted: boolean;
  isUnavailable: boolean;
  /** Who accepted it just now, as far as events say. */
  takenBy: string | undefined;
  isMine: boolean;
  seesAll: boolean;
}

/** The sentence about an alert that the reader can do nothing with any more, or that is somebody else's. */
export function noticeOf(
  alert: Alert,
  { isDeleted, isUnavailable, takenBy, isMine, seesAll }: NoticeFacts,
): string | undefined {
  if (isDeleted) return 'This alert was deleted.';
  if (alert.ownerId !== undefined && !isMine) {
    const owner = alert.ownerName ?? 'someone else';
    return seesAll ? `This alert belongs to ${inertLine(owner)}.` : takenNotice(owner);
  }
  if (alert.status === 'completed' && alert.ownerId === undefined) {
    return 'Resolved by its sender before anyone accepted it.';
  }
  if (!isUnavailable) return undefined;
  // It was taken in the moment in which it was opened: what is shown is from before, and the event had come already.
  return takenBy === undefined ? 'This alert is no longer available.' : takenNotice(takenBy);
}

const takenNotice = (owner: string): string =>
  `Accepted by ${inertLine(owner)}. What is shown here is no longer updated.`;
