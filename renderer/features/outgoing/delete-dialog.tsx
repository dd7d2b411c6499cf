import { Button } from '@blueprintjs/core';
import { type ReactNode, useState } from 'react';
import { messageOf } from '#renderer/lib/message-of.ts';
import { notePage } from '#renderer/lib/note-page.ts';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import { type DialogPresence, useDialog } from '#renderer/ui/use-dialog.ts';
import type { Entry } from './entries.tsx';
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
  /** Called before and, where it failed, after it: the page is being left then, and asks about nothing. */
  onLeaving?: (isLeaving: boolean) => void;
  /** Called where the page is still open. */
  onDeleted: () => void;
}

/** Asks before something is deleted, and says why it was not. */
function DeleteDialog({ title, text, presence, onDelete, onLeaving, onDeleted }: DeleteDialogProps) {
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const remove = async (): Promise<void> => {
    const isSamePage = notePage();
    setPending(true);
    onLeaving?.(true);
    try {
      await onDelete();
      if (isSamePage()) onDeleted();
    } catch (error) {
      onLeaving?.(false);
      setFailure(messageOf(error));
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

interface DeletionOptions<One> {
  entry: Entry;
  /** Said before it is deleted. */
  hintOf: (one: One) => string;
  /** Throws what the server says. */
  onDelete: (id: string) => Promise<unknown>;
  onLeaving?: (isLeaving: boolean) => void;
  /** Called once it is gone, where the page is still open. */
  onDeleted?: () => void;
}

/** The deletion of a destination, rule, group or calendar, and the dialog that asks before. */
export function useDeletion<One extends { id: string }>(
  options: DeletionOptions<One>,
): {
  ask: (one: One) => void;
  dialog: ReactNode;
} {
  const { entry, hintOf, onDelete, onLeaving, onDeleted } = options;
  const { shown, open } = useDialog<One>();
  const dialog = shown && (
    <DeleteDialog
      key={shown.key}
      title={entry.deleteQuestion}
      text={hintOf(shown.subject)}
      presence={shown.presence}
      onDelete={() => onDelete(shown.subject.id)}
      {...(onLeaving && { onLeaving })}
      onDeleted={onDeleted ?? shown.presence.onClose}
    />
  );
  return { ask: open, dialog };
}
