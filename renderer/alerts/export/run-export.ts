import { alertListSchema } from '#backend/contract/alert.ts';
import { MAX_NOTED_ALERTS, type NoteOfAlert, notesOfAlertsSchema } from '#backend/contract/note.ts';
import type { AlertListPath } from '#renderer/alerts/data/list-view.ts';
import { apiGetAll, apiGetPage } from '#renderer/lib/api-client.ts';
import { type ExportedAlert, exportWriter } from './export-file.ts';
import type { ExportOptions } from './file-export-dialog.tsx';

/**
 * Reads a list whole, page by page with the notes of each page, into a file. Throws an ApiError, or what the signal
 * was aborted with; then there is no file.
 */
export async function runExport(path: AlertListPath, { format, signal, onProgress }: ExportOptions): Promise<Blob> {
  const writer = exportWriter(format);
  // Browsers keep blobs outside the page's memory, large ones on disk.
  const pieces = [new Blob([writer.head])];
  let done = 0;
  let before: string | undefined;
  do {
    const page = await apiGetPage(path, alertListSchema, { limit: MAX_NOTED_ALERTS, before, signal });
    const exported = await withNotes(page.rows, signal);
    pieces.push(new Blob([writer.write(exported)]));
    done += page.rows.length;
    onProgress({ done, total: Math.max(done, page.total) });
    before = page.next;
  } while (before !== undefined);
  return new Blob([...pieces, writer.end], { type: format === 'csv' ? 'text/csv' : 'application/json' });
}

async function withNotes(alerts: readonly ExportedAlert['alert'][], signal: AbortSignal): Promise<ExportedAlert[]> {
  if (alerts.length === 0) return [];
  const query = new URLSearchParams(alerts.map(({ id }) => ['alertId', id]));
  const notes = await apiGetAll(`/api/notes?${query}`, notesOfAlertsSchema, { signal });
  const byAlert = Map.groupBy(notes.toReversed(), ({ alertId }) => alertId);
  return alerts.map((alert) => ({ alert, notes: byAlert.get(alert.id) ?? ([] as NoteOfAlert[]) }));
}
