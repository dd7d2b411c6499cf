import { Button, Dialog, DialogBody } from '@blueprintjs/core';
import type { CreatedApiKey } from '#backend/contract/api-key.ts';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { CopyField } from '#renderer/ui/copy-field/copy-field.tsx';

interface PlainKeyDialogProps {
  apiKey: CreatedApiKey;
  presence: DialogPresence;
}

/** Shows a new key, once (spec.md section 2, API Keys). A click beside it must not take it away. */
export function PlainKeyDialog({ apiKey, presence }: PlainKeyDialogProps) {
  return (
    <Dialog
      {...presence}
      className="ad-form-dialog"
      title="API Key Created"
      aria-describedby="ad-plain-key-note"
      canOutsideClickClose={false}
      isCloseButtonShown={false}
    >
      <DialogBody useOverflowScrollContainer={false}>
        <p id="ad-plain-key-note" className="ad-form-subtitle">
          Save this key somewhere safe. You won&apos;t be able to see it again.
        </p>
        <CopyField copyLabel="Copy API key" text={apiKey.plainKey} />
      </DialogBody>
      <div className="ad-form-actions">
        <Button intent="primary" text="Done" onClick={presence.onClose} />
      </div>
    </Dialog>
  );
}
