import { Button } from '@blueprintjs/core';
import { DescribedDialog } from './described-dialog.tsx';
import type { LeaveGuard } from './leave-guard.tsx';
import './form-dialog/form-dialog.css';

const focusStay = (dialog: HTMLElement): void => dialog.querySelector<HTMLElement>('.ad-unsaved-stay')?.focus();

/** Asks before a page is left whose changes are not saved; `text` says which. */
export function UnsavedDialog({ guard, text }: { guard: LeaveGuard; text: string }) {
  return (
    <DescribedDialog
      isOpen={guard.isAsked}
      onClose={guard.stay}
      className="ad-form-dialog"
      title="Leave without saving?"
      subtitle={text}
      onOpening={focusStay}
      actions={
        <div className="ad-form-actions">
          <Button text="Leave" onClick={guard.leave} />
          <Button className="ad-unsaved-stay" intent="primary" text="Stay" onClick={guard.stay} />
        </div>
      }
    >
      {null}
    </DescribedDialog>
  );
}
