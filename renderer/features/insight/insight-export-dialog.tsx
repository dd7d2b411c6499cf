import { FileExportDialog } from '#renderer/alerts/export/file-export-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { exportInsight } from './export-insight.ts';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';

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
      title={common.insight}
      subtitle={texts.exportHint(range)}
      jsonLabel={texts.jsonAsReturnedByApi}
      counted="rows"
      total={0}
      done={texts.insightExported}
      sourceOf={() => ({ what: 'insight', filter: path })}
      run={(options) => exportInsight(path, options)}
      presence={presence}
    />
  );
}
