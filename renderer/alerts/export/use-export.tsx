import { type ReactNode, Suspense } from 'react';
import type { AlertListView } from '#renderer/alerts/data/list-view.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { useDialog } from '#renderer/ui/use-dialog.ts';

// Comes with the first click.
const ExportDialog = lazyWithRetry(async () => (await import('./export-dialog.tsx')).ExportDialog, 'report');

interface Exported {
  view: AlertListView;
  title: string;
  total: number | undefined;
}

/** The export of a list: what opens its dialog, and the dialog. */
export function useExport({ view, title, total }: Exported): { open: () => void; dialog: ReactNode } {
  const dialog = useDialog();
  return {
    open: () => dialog.open(true),
    dialog: (
      <Suspense>
        {dialog.shown && (
          <ExportDialog
            key={dialog.shown.key}
            view={view}
            title={title}
            total={total}
            presence={dialog.shown.presence}
          />
        )}
      </Suspense>
    ),
  };
}
