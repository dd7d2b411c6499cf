import type { AlertStatus } from '#backend/contract/alert.ts';
import type { HistoryAction, HistoryEntry } from '#backend/contract/history-entry.ts';
import { STATUS_WORDS } from '#renderer/lib/alerts/status-words.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';

/** The label of an action: underscores become spaces, title-cased. */
export const actionWords = (action: HistoryAction): string =>
  action
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join(' ');

/** What an entry changed, from and to; undefined where the action says it all. An absent folder is None. */
export function changeOf(entry: HistoryEntry): { from: string; to: string } | undefined {
  if (entry.action === 'status_change') {
    return { from: statusWord(entry.previousStatus), to: statusWord(entry.newStatus) };
  }
  if (entry.action === 'move_folder') {
    return { from: folderName(entry.previousFolderName), to: folderName(entry.newFolderName) };
  }
  return undefined;
}

const statusWord = (status: AlertStatus | undefined): string => (status === undefined ? 'None' : STATUS_WORDS[status]);

const folderName = (name: string | undefined): string => (name === undefined ? 'None' : inertLine(name));
