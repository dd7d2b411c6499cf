import { Button, Checkbox } from '@blueprintjs/core';
import { DownloadIcon } from '@blueprintjs/icons';
import { useState } from 'react';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { saveFile } from '#renderer/lib/save-file.ts';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import { useLeaveGuard } from '#renderer/ui/leave-guard.tsx';
import { mask, useMaskWhenAway } from '#renderer/ui/mask-when-away.ts';
import { UnsavedDialog } from '#renderer/ui/unsaved-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as uiTexts from '#renderer/ui/texts.tsx';
import * as styles from './second-step.module.css';

interface RecoveryCodesDialogProps {
  codes: readonly string[];
  presence: DialogPresence;
}

/** Shows new recovery codes, this once: it closes when the member says that they have kept them. */
export function RecoveryCodesDialog({ codes, presence }: RecoveryCodesDialogProps) {
  const [isKept, setKept] = useState(false);
  const guard = useLeaveGuard(!isKept);
  const { isMasked, unmask } = useMaskWhenAway();
  const text = `${PRODUCT_NAME} recovery codes for ${window.location.host}\n\n${codes.join('\n')}\n`;
  return (
    <FormDialog
      title={texts.saveYourRecoveryCodes}
      subtitle={texts.eachCodeWorksOnceIn}
      presence={presence}
      onSubmit={presence.onClose}
      hasNoCancel
      submit={{ text: pageTexts.done, pendingText: pageTexts.done, isPending: false, isDisabled: !isKept }}
    >
      <ol className={styles.recoveryCodes} aria-label={texts.recoveryCodes}>
        {codes.map((code) => (
          <li key={code} dir="ltr">
            {isMasked ? mask('') : code}
          </li>
        ))}
      </ol>
      <div className={styles.recoveryActions}>
        {isMasked && <Button variant="minimal" text={uiTexts.showThemAgain} onClick={unmask} />}
        <CopyButton text={text} label={texts.copyAll} isLabelled />
        <Button
          variant="minimal"
          icon={<DownloadIcon size={14} />}
          text={texts.download}
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'alertdesk-recovery-codes.txt')}
        />
      </div>
      <UnsavedDialog guard={guard} text={texts.youHaveNotSavedRecovery} />
      <Checkbox checked={isKept} label={texts.iHaveSavedTheseCodes} onChange={() => setKept(!isKept)} />
    </FormDialog>
  );
}
