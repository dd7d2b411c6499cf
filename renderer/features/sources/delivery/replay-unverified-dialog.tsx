import { Button } from '@blueprintjs/core';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import * as styles from '#renderer/ui/form-dialog/form-dialog.module.css';

/** Asks before a request is replayed that does not have the signature that its source needs. */
export function ReplayUnverifiedDialog({ onReplay, presence }: { onReplay: () => void; presence: DialogPresence }) {
  return (
    <DescribedDialog
      {...presence}
      className={styles.dialog}
      title="Replay without a valid signature?"
      subtitle="Anybody who knows the address may have sent this request. Its alerts will say that their signature was not verified."
      actions={
        <div className={styles.actions}>
          <Button text="Cancel" onClick={presence.onClose} />
          <Button
            intent="danger"
            text="Replay"
            onClick={() => {
              presence.onClose();
              onReplay();
            }}
          />
        </div>
      }
    >
      {null}
    </DescribedDialog>
  );
}
