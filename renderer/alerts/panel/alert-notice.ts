import { COMPLETED_UNTAKEN, isCompletedUntaken } from '#backend/contract/alert-place.ts';
import type { Alert } from '#backend/contract/alert.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import * as texts from './texts.ts';

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
  if (isDeleted) return texts.thisAlertWasDeleted;
  if (alert.ownerId !== undefined && !isMine) {
    const owner = alert.ownerName ?? texts.someoneElse;
    return seesAll ? texts.thisAlertBelongsTo(inertLine(owner)) : takenNotice(owner);
  }
  if (isCompletedUntaken(alert))
    return alert.state === 'resolved' ? texts.resolvedByItsSenderBefore : COMPLETED_UNTAKEN;
  if (!isUnavailable) return undefined;
  // It was taken in the moment in which it was opened: what is shown is from before, and the event had come already.
  return takenBy === undefined ? texts.thisAlertIsNoLonger : takenNotice(takenBy);
}

const takenNotice = (owner: string): string => texts.takenBy(inertLine(owner));
