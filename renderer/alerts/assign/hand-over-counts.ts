import { type AlertSeverity, alertSeveritySchema } from '#backend/contract/alert.ts';
import type { HandOverCounts, OpenStatus } from '#backend/contract/assignment.ts';

/** What of a queue is handed over: one status or both, always what is in no folder, and what is in these folders. */
export interface Which {
  status: OpenStatus | undefined;
  folderIds: readonly string[];
}

/** The rows that a choice takes. */
export const wantedOf = (counts: HandOverCounts, { status, folderIds }: Which): HandOverCounts =>
  counts.filter(
    (row) =>
      (status === undefined || row.status === status) && (row.folderId === null || folderIds.includes(row.folderId)),
  );

/** How many alerts rows count. */
export const countOf = (counts: HandOverCounts): number => counts.reduce((sum, { alerts }) => sum + alerts, 0);

/** How many of them are snoozed. */
export const snoozedOf = (counts: HandOverCounts): number => countOf(counts.filter(({ isSnoozed }) => isSnoozed));

/** How many alerts each folder would bring, of folders that have any. */
export function foldersWithAlerts(counts: HandOverCounts, status: OpenStatus | undefined): Map<string, number> {
  const folders = new Map<string, number>();
  for (const { folderId, alerts, ...row } of counts) {
    if (folderId === null || (status !== undefined && row.status !== status)) continue;
    folders.set(folderId, (folders.get(folderId) ?? 0) + alerts);
  }
  return folders;
}

/** How many alerts have which severity, highest first; those without one are others. */
export function severitiesOf(counts: HandOverCounts): { severity: AlertSeverity; label: string; alerts: number }[] {
  return alertSeveritySchema.options.flatMap((severity) => {
    const alerts = countOf(counts.filter((row) => row.severity === severity));
    const others = alerts === 1 ? 'other' : 'others';
    return alerts === 0 ? [] : [{ severity, label: severity === 'none' ? others : severity, alerts }];
  });
}
