import { ProgressBar, Radio, RadioGroup } from '@blueprintjs/core';
import { useEffect, useRef, useState } from 'react';
import { type AlertListView, pathOf } from '#renderer/alerts/data/list-model.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { type ExportFormat, exportFileName } from './export-file.ts';
import { type ExportProgress, runExport } from './run-export.ts';

export interface ExportDialogProps {
  view: AlertListView;
  /** The list's title. */
  title: string;
  /** How many alerts the list has; undefined while that is not known. */
  total: number | undefined;
  presence: DialogPresence;
}

/** Exports a list as it is filtered and sorted. Closing the dialog cancels it. */
export function ExportDialog({ view, title, total, presence }: ExportDialogProps) {
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [progress, setProgress] = useState<ExportProgress>();
  const [failure, setFailure] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const toasts = useToasts();
  useEffect(() => () => running.current?.abort(), []);

  const run = async (): Promise<void> => {
    const { signal } = (running.current = new AbortController());
    setFailure(undefined);
    setProgress({ done: 0, total: total ?? 0 });
    try {
      const file = await runExport(pathOf(view), { format, signal, onProgress: setProgress });
      if (signal.aborted) return;
      const name = exportFileName(inertLine(title), format, new Date());
      save(file, name);
      presence.onClose();
      toasts.show({ intent: 'done', title: 'Alerts exported', description: name });
    } catch (error) {
      if (signal.aborted) return;
      setProgress(undefined);
      setFailure(error instanceof Error ? error.message : String(error));
    }
  };
  const close = (): void => {
    running.current?.abort();
    presence.onClose();
  };
  const words = total === undefined ? 'The alerts' : `${formatCount(total)} ${total === 1 ? 'alert' : 'alerts'}`;
  return (
    <FormDialog
      title={`Export ${inertLine(title)}`}
      subtitle={`${words} of this list as it is filtered and sorted, with all fields and notes. Times have the offset of your time zone.`}
      presence={{ ...presence, onClose: close }}
      onSubmit={() => void run()}
      submit={{ text: 'Export', pendingText: 'Exporting...', isPending: progress !== undefined }}
    >
      <RadioGroup
        selectedValue={format}
        disabled={progress !== undefined}
        onChange={({ currentTarget }) => setFormat(currentTarget.value === 'json' ? 'json' : 'csv')}
      >
        <Radio label="CSV, for spreadsheets" value="csv" />
        <Radio label="JSON, every field as it was received" value="json" />
      </RadioGroup>
      {progress && (
        <div>
          <output>{`${formatCount(progress.done)} of ${formatCount(progress.total)}`}</output>
          <ProgressBar
            intent="primary"
            stripes={false}
            value={progress.total === 0 ? 0 : progress.done / progress.total}
            aria-label="Exported alerts"
          />
        </div>
      )}
      {failure !== undefined && (
        <p className="ad-field-error" role="alert">
          The export stopped: {failure} Nothing was saved.
        </p>
      )}
    </FormDialog>
  );
}

const formatCount = (count: number): string => count.toLocaleString('en-US');

/** Has the browser save a file, where it saves downloads. */
function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser reads the address after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
