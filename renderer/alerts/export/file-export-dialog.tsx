import { ProgressBar, Radio, RadioGroup } from '@blueprintjs/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import type { PageExport } from '#backend/contract/page-export.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { saveFile } from '#renderer/lib/save-file.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { type ExportFormat, exportFileName } from './export-file.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from '#renderer/ui/form-dialog/form-dialog.module.css';

/** How far an export is. `total` grows where what is exported does meanwhile. */
export interface ExportProgress {
  done: number;
  total: number;
}

export interface ExportOptions {
  format: ExportFormat;
  signal: AbortSignal;
  onProgress: (progress: ExportProgress) => void;
}

interface FileExportDialogProps {
  /** What is exported; names the file, too. */
  title: string;
  subtitle: ReactNode;
  /** What the JSON file has. */
  jsonLabel: string;
  /** How the JSON file's name ends; `json` unless it is said. */
  jsonExtension?: 'json' | 'jsonl';
  /** What is counted while it works, such as "alerts". */
  counted: string;
  /** How much there is, as far as it is known. */
  total: number;
  /** Said once the file is saved. */
  done: string;
  /** What the audit trail says of it: what is read, by which filter. */
  sourceOf: () => Pick<PageExport, 'what' | 'filter'>;
  /** Makes the file. Throws an ApiError, or what the signal was aborted with. */
  run: (options: ExportOptions) => Promise<Blob>;
  presence: DialogPresence;
}

/** Asks for a format and saves a file. Closing the dialog cancels it. */
export function FileExportDialog(props: FileExportDialogProps) {
  const {
    title,
    subtitle,
    jsonLabel,
    jsonExtension = 'json',
    counted,
    total,
    done,
    sourceOf,
    run: makeFile,
    presence,
  } = props;
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [progress, setProgress] = useState<ExportProgress>();
  const [failure, setFailure] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const toasts = useToasts();
  useEffect(() => () => running.current?.abort(), []);

  const run = async (): Promise<void> => {
    const { signal } = (running.current = new AbortController());
    setFailure(undefined);
    setProgress({ done: 0, total });
    let rows = 0;
    const onProgress = (made: ExportProgress): void => {
      rows = made.done;
      setProgress(made);
    };
    try {
      const file = await makeFile({ format, signal, onProgress });
      if (signal.aborted) return;
      // Before the file is there: the audit trail says who has it.
      await apiSend('POST', '/api/exports', { body: { ...sourceOf(), format, rows } satisfies PageExport });
      if (signal.aborted) return;
      const name = exportFileName(inertLine(title), format === 'csv' ? 'csv' : jsonExtension, new Date());
      saveFile(file, name);
      presence.onClose();
      toasts.show({ intent: 'done', title: done, description: name });
    } catch (error) {
      if (signal.aborted) return;
      setProgress(undefined);
      setFailure(messageOf(error));
    }
  };
  const close = (): void => {
    running.current?.abort();
    presence.onClose();
  };
  return (
    <FormDialog
      title={texts.exportOf(inertLine(title))}
      subtitle={subtitle}
      presence={{ ...presence, onClose: close }}
      onSubmit={() => void run()}
      submit={{ text: pageTexts.exportAction, pendingText: 'Exporting...', isPending: progress !== undefined }}
    >
      <RadioGroup
        selectedValue={format}
        disabled={progress !== undefined}
        onChange={({ currentTarget }) => setFormat(currentTarget.value === 'json' ? 'json' : 'csv')}
      >
        <Radio label={texts.csvForSpreadsheets} value="csv" />
        <Radio label={jsonLabel} value="json" />
      </RadioGroup>
      {progress && (
        <div>
          <output>{texts.doneOfTotal(countText(progress.done), countText(progress.total))}</output>
          <ProgressBar
            intent="primary"
            stripes={false}
            value={progress.total === 0 ? 0 : progress.done / progress.total}
            aria-label={texts.exportedCounted(counted)}
          />
        </div>
      )}
      {failure !== undefined && (
        <p className={styles.fieldError} role="alert">
          {texts.exportStopped(failure)}
        </p>
      )}
    </FormDialog>
  );
}
