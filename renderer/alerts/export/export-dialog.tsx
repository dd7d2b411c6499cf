import { countText } from '#backend/contract/count-text.ts';
import { MAX_FILTER } from '#backend/contract/page-export.ts';
import { type AlertListView, pathOf } from '#renderer/alerts/data/list-view.ts';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { FileExportDialog } from './file-export-dialog.tsx';
import { runExport } from './run-export.ts';
import * as texts from './texts.ts';

export interface ExportDialogProps {
  view: AlertListView;
  /** The list's title. */
  title: string;
  /** How many alerts the list has; undefined while that is not known. */
  total: number | undefined;
  presence: DialogPresence;
}

/** Exports a list as it is filtered and sorted. */
export function ExportDialog({ view, title, total, presence }: ExportDialogProps) {
  const words = total === undefined ? texts.alerts : `${countText(total)} ${total === 1 ? 'alert' : 'alerts'}`;
  return (
    <FileExportDialog
      title={title}
      subtitle={texts.exportHint(words)}
      jsonLabel={texts.jsonWithEveryFieldAs}
      counted="alerts"
      total={total ?? 0}
      done={texts.alertsExported}
      sourceOf={() => ({ what: 'alerts', filter: pathOf(view).slice(0, MAX_FILTER) })}
      run={(options) => runExport(pathOf(view), options)}
      presence={presence}
    />
  );
}
