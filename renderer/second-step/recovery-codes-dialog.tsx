import { Button, Checkbox } from '@blueprintjs/core';
import { DownloadIcon } from '@blueprintjs/icons';
import { useState } from 'react';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { saveFile } from '#renderer/lib/save-file.ts';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import { useLeaveGuard } from '#renderer/ui/leave-guard.tsx';
import { UnsavedDialog } from '#renderer/ui/unsaved-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import * as styles from './second-step.module.css';

interface RecoveryCodesDialogProps {
  codes: readonly string[];
  presence: DialogPresence;
}

/** Shows new recovery codes, this once: it closes when the member says that they have kept them. */
export function RecoveryCodesDialog({ codes, presence }: RecoveryCodesDialogProps) {
  const [isKept, setKept] = useState(false);
  const guard = useLeaveGuard(!isKept);
  const text = `${PRODUCT_NAME} recovery codes for ${window.location.host}\n\n${codes.join('\n')}\n`;
  return (
    <FormDialog
      title="Save your recovery codes"
      subtitle="Each code works once, in case you lose your phone or security key. They are not shown again."
      presence={presence}
      onSubmit={presence.onClose}
      hasNoCancel
      submit={{ text: 'Done', pendingText: 'Done', isPending: false, isDisabled: !isKept }}
    >
      <ol className={styles.recoveryCodes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code} dir="ltr">
            {code}
          </li>
        ))}
      </ol>
      <div className={styles.recoveryActions}>
        <CopyButton text={text} label="Copy all" isLabelled />
        <Button
          variant="minimal"
          icon={<DownloadIcon size={14} />}
          text="Download"
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'alertdesk-recovery-codes.txt')}
        />
      </div>
      <UnsavedDialog guard={guard} text="You have not saved the recovery codes. They are not shown again." />
      <Checkbox checked={isKept} label="I have saved these codes in a safe place" onChange={() => setKept(!isKept)} />
    </FormDialog>
  );
}
