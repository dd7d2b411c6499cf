import { Button } from '@blueprintjs/core';
import { saveFile } from '#renderer/lib/save-file.ts';
import { dateOf } from '#renderer/lib/times.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import { useDownloadOwnData } from './account.ts';
import * as texts from './texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './account-page.module.css';

/** What is stored of me, as a file. */
export function DataPanel() {
  const download = useDownloadOwnData();
  const toasts = useToasts();

  const save = (): void =>
    download.mutate(undefined, {
      onSuccess: (file) => {
        const name = `alertdesk-my-data-${dateOf(new Date())}.jsonl`;
        saveFile(file, name);
        toasts.show({ intent: 'done', title: texts.yourDataWasDownloaded, description: name });
      },
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: texts.failedToDownloadYourData, description: message }),
    });

  return (
    <Panel title={texts.yourData} hint={texts.dataHint}>
      <div className={`${panelStyles.panelBody} ${styles.form}`}>
        <Button
          aria-disabled={download.isPending || undefined}
          onClick={() => !download.isPending && save()}
          text={download.isPending ? texts.preparing : texts.downloadMyData}
        />
      </div>
    </Panel>
  );
}
