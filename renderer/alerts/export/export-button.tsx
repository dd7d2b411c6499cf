import { Button } from '@blueprintjs/core';
import { ExportIcon } from '@blueprintjs/icons';
import { Suspense } from 'react';
import type { AlertListView } from '#renderer/alerts/data/list-view.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import * as styles from '#renderer/alerts/list/list-filters.module.css';

// Comes with the first click.
const ExportDialog = lazyWithRetry(async () => (await import('./export-dialog.tsx')).ExportDialog, 'report');

interface ExportButtonProps {
  view: AlertListView;
  title: string;
  total: number | undefined;
}

/** Opens the export of a list. Nothing while the list is empty. */
export function ExportButton({ view, title, total }: ExportButtonProps) {
  const dialog = useDialog();
  if (total === 0 && !dialog.shown) return null;
  return (
    <>
      <Button
        className={styles.export}
        variant="minimal"
        icon={<ExportIcon />}
        aria-label="Export"
        aria-haspopup="dialog"
        data-tip="Export"
        onClick={() => dialog.open(true)}
      />
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
    </>
  );
}
