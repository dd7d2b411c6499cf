import { Button, Dialog, DialogBody } from '@blueprintjs/core';
import { useState } from 'react';
import type { CreatedApiKey } from '#backend/contract/api-key.ts';
import { CopyField } from '#renderer/ui/copy-field/copy-field.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';

interface PlainKeyDialogProps {
  apiKey: CreatedApiKey;
  presence: DialogPresence;
}

const focusCopy = (dialog: HTMLElement): void => dialog.querySelector<HTMLElement>('.ad-copy-button')?.focus();

const focusNow = (button: HTMLElement | null): void => button?.focus();

/**
 * Shows a new key, once. A click beside it does not take it away, and Escape asks first
 * while the key has not been copied.
 */
export function PlainKeyDialog({ apiKey, presence }: PlainKeyDialogProps) {
  const [isCopied, setCopied] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const close = (): void => {
    if (isCopied) presence.onClose();
    else setAsking(true);
  };
  return (
    <Dialog
      {...presence}
      onClose={close}
      onOpening={focusCopy}
      // The dialog before this one gives the focus back while it fades.
      onOpened={focusCopy}
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
        <div className="ad-copy-field-wrap" onCopy={() => setCopied(true)}>
          <CopyField copyLabel="Copy API key" text={apiKey.plainKey} onCopied={() => setCopied(true)} />
        </div>
        {isAsking && !isCopied && (
          <p role="alert" className="ad-key-question">
            The key has not been copied. Close and lose it?
          </p>
        )}
      </DialogBody>
      <div className="ad-form-actions">
        {isAsking && !isCopied ? (
          <>
            <Button intent="danger" text="Close without the key" onClick={presence.onClose} />
            <Button intent="primary" text="Keep open" ref={focusNow} onClick={() => setAsking(false)} />
          </>
        ) : (
          // In the place of the question, whose buttons had the focus.
          <Button intent="primary" text="Done" ref={focusNow} onClick={presence.onClose} />
        )}
      </div>
    </Dialog>
  );
}
