import { FileExportDialog } from '#renderer/alerts/export/file-export-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { exportInsight } from './export-insight.ts';

interface InsightExportDialogProps {
  path: string;
  /** The range that is shown, and its time zone. */
  range: string;
  presence: DialogPresence;
}

/** Exports the figures that are shown, read once more. */
export function InsightExportDialog({ path, range, presence }: InsightExportDialogProps) {
  return (
    <FileExportDialog
      title="Insight"
      subtitle={`The numbers for ${range} with the current filters, by day, hour of the week, customer, type, source, and person.`}
      jsonLabel="JSON, as returned by the API"
      counted="rows"
      total={0}
      done="Insight exported"
      sourceOf={() => ({ what: 'insight', filter: path })}
      run={(options) => exportInsight(path, options)}
      presence={presence}
    />
  );
}
