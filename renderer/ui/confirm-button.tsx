import { Button, type ButtonProps } from '@blueprintjs/core';
import { useRef } from 'react';
import type { DialogPresence } from './use-dialog.ts';

interface ConfirmButtonProps extends Pick<ButtonProps, 'intent' | 'text'> {
  /** Of the dialog that the button stands in. */
  presence: DialogPresence;
  onConfirm: () => void;
}

/**
 * Closes the dialog that it stands in and does what that asks about, once: it can still be pressed while the dialog fades, as it
 * was drawn last when that was open.
 */
export function ConfirmButton({ presence, onConfirm, ...button }: ConfirmButtonProps) {
  const isConfirmed = useRef(false);
  const confirm = (): void => {
    if (isConfirmed.current) return;
    isConfirmed.current = true;
    presence.onClose();
    onConfirm();
  };
  return <Button {...button} onClick={confirm} />;
}
