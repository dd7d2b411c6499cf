import { Button } from '@blueprintjs/core';
import { DescribedDialog } from './described-dialog.tsx';
import type { LeaveGuard } from './leave-guard.tsx';
import * as texts from './unsaved-texts.ts';
import * as styles from './form-dialog/form-dialog.module.css';

const focusStay = (dialog: HTMLElement): void => dialog.querySelector<HTMLElement>('[data-stay]')?.focus();

/** Asks before a page is left whose changes are not saved; `text` says which. */
export function UnsavedDialog({ guard, text }: { guard: LeaveGuard; text: string }) {
  return (
    <DescribedDialog
      isOpen={guard.isAsked}
      onClose={guard.stay}
      className={styles.dialog}
      title={texts.leaveWithoutSaving}
      subtitle={text}
      onOpening={focusStay}
      actions={
        <div className={styles.actions}>
          <Button text={texts.leave} onClick={guard.leave} />
          <Button data-stay intent="primary" text={texts.stay} onClick={guard.stay} />
        </div>
      }
    >
      {null}
    </DescribedDialog>
  );
}
