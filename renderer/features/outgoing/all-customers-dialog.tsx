import { Button } from '@blueprintjs/core';
import { ConfirmButton } from '#renderer/ui/confirm-button.tsx';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import * as texts from './destinations-texts.tsx';
import * as formStyles from '#renderer/ui/form-dialog/form-dialog.module.css';

/** Asks once before people in a channel may hear of every customer. */
export function AllCustomersDialog({ presence, onConfirm }: { presence: DialogPresence; onConfirm: () => void }) {
  return (
    <DescribedDialog
      {...presence}
      className={formStyles.dialog}
      title={texts.allCustomersQuestion}
      subtitle={texts.allCustomersHint}
      actions={
        <div className={formStyles.actions}>
          <Button text={texts.chooseCustomers} onClick={presence.onClose} />
          <ConfirmButton presence={presence} intent="primary" text={texts.saveForAllCustomers} onConfirm={onConfirm} />
        </div>
      }
    >
      {null}
    </DescribedDialog>
  );
}
