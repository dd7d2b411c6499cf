import { Button } from '@blueprintjs/core';
import { DuplicateIcon } from '@blueprintjs/icons';
import { useRef } from 'react';
import { SecretField } from '#renderer/features/sources/shown/secret-field.tsx';
import { useCopy } from '#renderer/features/sources/shown/use-copy.ts';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import * as texts from './texts.tsx';
import * as styles from '#renderer/ui/form-dialog/form-dialog.module.css';

interface LeaveDialogProps {
  isOpen: boolean;
  secret: string;
  onStay: () => void;
  onCopied: () => void;
  onLeave: () => void;
}

/** Asks before the only view of a secret is left without it. */
export function LeaveDialog({ isOpen, secret, onStay, onCopied, onLeave }: LeaveDialogProps) {
  const field = useRef<HTMLDivElement>(null);
  const { copy } = useCopy(field);
  const copyAndLeave = async (): Promise<void> => {
    if (!(await copy(secret))) return;
    onCopied();
    onLeave();
  };
  return (
    <DescribedDialog
      isOpen={isOpen}
      onClose={onStay}
      className={styles.dialog}
      title={texts.leaveWithoutCopyingCredential}
      subtitle={texts.youWontBeAbleTo}
      onOpening={(dialog) => dialog.querySelector<HTMLElement>('[data-copy-all]')?.focus()}
      actions={
        <div className={styles.actions}>
          <Button text={texts.leaveWithoutIt} onClick={onLeave} />
          <Button
            data-copy-all
            intent="primary"
            icon={<DuplicateIcon />}
            text={texts.copyAndLeave}
            onClick={() => void copyAndLeave()}
          />
        </div>
      }
    >
      <div ref={field}>
        <SecretField copyLabel={texts.copyCredential} text={secret} onCopied={onCopied} />
      </div>
    </DescribedDialog>
  );
}
