import { Button } from '@blueprintjs/core';
import { ConfirmButton } from '#renderer/ui/confirm-button.tsx';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from '#renderer/ui/form-dialog/form-dialog.module.css';

/** Asks before a request is replayed that does not have the signature that its source needs. */
export function ReplayUnverifiedDialog({ onReplay, presence }: { onReplay: () => void; presence: DialogPresence }) {
  return (
    <DescribedDialog
      {...presence}
      className={styles.dialog}
      title={texts.replayWithoutValidSignature}
      subtitle={texts.anybodyWhoKnowsAddressMay}
      actions={
        <div className={styles.actions}>
          <Button text={pageTexts.cancel} onClick={presence.onClose} />
          <ConfirmButton presence={presence} intent="danger" text={texts.replay} onConfirm={onReplay} />
        </div>
      }
    >
      {null}
    </DescribedDialog>
  );
}
