import { countText } from '#backend/contract/count-text.ts';
import type { AlertSeverity, AlertStatus } from '#backend/contract/alert.ts';
import type { HistoryEntry } from '#backend/contract/history-entry.ts';
import { hoursLabel } from '#backend/contract/notices.ts';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { STATUS_LABELS } from '#renderer/alerts/data/alert-labels.ts';
import { SEVERITY_LABELS, spanOf } from '#renderer/alerts/data/problem-labels.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatHistoryTime } from '#renderer/lib/times.ts';

/** The label of an entry: its action with spaces for underscores, title-cased, and how often it happened. */
export function actionLabel({
  action,
  occurrences,
  snoozedUntil,
}: Pick<HistoryEntry, 'action' | 'occurrences' | 'snoozedUntil'>): string {
  if (action === 'returned') return 'Returned to the inbox';
  if (action === 'amended') return 'Changed by Its Sender';
  if (action === 'flapping') return 'Began to Flap';
  if (action === 'calmed') return 'Stopped Flapping';
  if (snoozedUntil === 'next-firing') return 'Snoozed Until It Fires Again';
  if (snoozedUntil !== undefined) return `Snoozed Until ${formatHistoryTime(new Date(snoozedUntil))}`;
  const label = action
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join(' ');
  return occurrences === undefined || occurrences < 2 ? label : `${label} ×${countText(occurrences)}`;
}

/** What else an entry says: to whom an alert was given, or why the server ended it or returned it to the inbox. */
export function detailOf({
  action,
  assigneeName,
  untouchedHours,
  unreportedMinutes,
  userDisplayName,
}: HistoryEntry): string | undefined {
  if (action === 'assigned' || action === 'handed_over') return `To ${inertLine(assigneeName ?? 'someone')}`;
  if (unreportedMinutes !== undefined) {
    return `No longer reported by its sender for ${spanOf(unreportedMinutes * 60_000) ?? '1 min'}`;
  }
  if (action !== 'returned') return undefined;
  const owner = inertLine(userDisplayName);
  return untouchedHours === undefined
    ? `The account of ${owner} is disabled`
    : `${owner} had not touched it for ${hoursLabel(untouchedHours)}`;
}

/** Who an entry is by. */
export const authorOf = ({ action, userDisplayName }: HistoryEntry): string =>
  action === 'returned'
    ? PRODUCT_NAME
    : inertLine(action === 'rule_applied' ? `Rule ${userDisplayName}` : userDisplayName);

/** What an entry changed, from and to; undefined where the action says it all, or the folders are not the reader's. An absent one is None. */
export function changeOf(entry: HistoryEntry): { from: string; to: string } | undefined {
  if (entry.action === 'severity_change') {
    return { from: severityLabel(entry.previousSeverity), to: severityLabel(entry.newSeverity) };
  }
  // What its sender reports changes the status only where nobody had accepted the alert.
  const isReport = entry.action === 'resolved' || entry.action === 'reopened';
  if (entry.action === 'status_change' || (isReport && entry.newStatus !== undefined)) {
    return { from: statusWord(entry.previousStatus), to: statusWord(entry.newStatus) };
  }
  if (entry.action === 'move_folder') {
    // Both are missing for whoever may not read the folders' names, because they are another member's.
    if (entry.previousFolderName === undefined && entry.newFolderName === undefined) return undefined;
    return { from: folderName(entry.previousFolderName), to: folderName(entry.newFolderName) };
  }
  return undefined;
}

const severityLabel = (severity: AlertSeverity | undefined): string => SEVERITY_LABELS[severity ?? 'none'] || 'None';

const statusWord = (status: AlertStatus | undefined): string => (status === undefined ? 'None' : STATUS_LABELS[status]);

const folderName = (name: string | undefined): string => (name === undefined ? 'None' : inertLine(name));
