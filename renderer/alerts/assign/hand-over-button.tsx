import { Button } from '@blueprintjs/core';
import { PeopleIcon } from '@blueprintjs/icons';
import { Suspense } from 'react';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import * as styles from './hand-over-button.module.css';

const HandOverDialog = lazyWithRetry(async () => (await import('./hand-over-dialog.tsx')).HandOverDialog, 'report');

/** Opens the dialog that hands the member's queue over. */
export function HandOverButton() {
  const dialog = useDialog();
  return (
    <>
      <Button
        icon={<PeopleIcon size={16} />}
        text="Hand over"
        className={styles.handOverButton}
        aria-label="Hand over"
        data-tip="Hand over"
        aria-haspopup="dialog"
        onClick={() => dialog.open(true)}
      />
      <Suspense>{dialog.shown && <HandOverDialog key={dialog.shown.key} presence={dialog.shown.presence} />}</Suspense>
    </>
  );
}
