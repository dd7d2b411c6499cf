import { Button } from '@blueprintjs/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
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
  /** Throws what the server says. */
  onDelete: () => Promise<unknown>;
  /** The page that follows, and whether the one before is being left: it asks about nothing then. */
  next: string;
  onLeaving: (isLeaving: boolean) => void;
}

/** Asks before something is deleted, and says why it was not. */
export function DeleteDialog({ title, text, presence, onDelete, next, onLeaving }: DeleteDialogProps) {
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    setPending(true);
    onLeaving(true);
    try {
      await onDelete();
      void navigate(next);
    } catch (error) {
      onLeaving(false);
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
