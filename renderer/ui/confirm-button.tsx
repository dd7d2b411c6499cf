import { Button, type ButtonProps } from '@blueprintjs/core';
import type { DialogPresence } from './use-dialog.ts';

interface ConfirmButtonProps extends Pick<ButtonProps, 'intent' | 'text'> {
  /** Of the dialog that the button stands in. */
  presence: DialogPresence;
  onConfirm: () => void;
}

/** Closes the dialog that it stands in and does what that asks about, once: it can still be pressed while the dialog fades. */
export function ConfirmButton({ presence, onConfirm, ...button }: ConfirmButtonProps) {
  const confirm = (): void => {
    if (!presence.isOpen) return;
    presence.onClose();
    onConfirm();
  };
  return <Button {...button} onClick={confirm} />;
}
