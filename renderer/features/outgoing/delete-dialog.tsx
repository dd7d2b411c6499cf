import { Button } from '@blueprintjs/core';
import { useState } from 'react';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as formStyles from '#renderer/ui/form-dialog/form-dialog.module.css';
import * as styles from './outgoing.module.css';

interface DeleteDialogProps {
  title: string;
  text: string;
  presence: DialogPresence;
  onDelete: () => Promise<void>;
}

/** Asks before something is deleted, and says why it was not. */
export function DeleteDialog({ title, text, presence, onDelete }: DeleteDialogProps) {
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const remove = async (): Promise<void> => {
    setPending(true);
    try {
      await onDelete();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      setPending(false);
    }
  };
  return (
    <DescribedDialog
      {...presence}
      className={formStyles.dialog}
      title={title}
      subtitle={text}
      actions={
        <div className={formStyles.actions}>
          <Button text={pageTexts.cancel} onClick={presence.onClose} />
          <Button intent="danger" text={common.deleteAction} loading={isPending} onClick={() => void remove()} />
        </div>
      }
    >
      <output className={styles.failure} hidden={failure === undefined}>
        {failure}
      </output>
    </DescribedDialog>
  );
}
