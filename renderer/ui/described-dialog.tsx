import { Dialog, DialogBody, type DialogProps } from '@blueprintjs/core';
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';

interface DescribedDialogProps extends DialogProps {
  title: string;
  /** Muted, below the title; it describes the dialog to screen readers, too. */
  subtitle?: ReactNode;
  children: ReactNode;
  /** Below the body, the primary action last. */
  actions?: ReactNode;
  /** Makes body and actions a form. */
  form?: { onSubmit: () => void; noValidate: boolean };
}

/**
 * Escape closes a dialog that has just come up and does not have the focus yet, which it takes with the next frame. Blueprint
 * listens inside of the dialog alone, so the key would go to what is behind.
 */
function useEarlyEscape({ isOpen, canEscapeKeyClose = true, onClose }: DialogProps) {
  const container = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  const listens = isOpen && canEscapeKeyClose;
  useEffect(() => {
    if (!listens) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      const overlay = container.current?.closest('.bp6-overlay');
      if (event.key !== 'Escape' || !overlay || document.activeElement?.closest('.bp6-overlay')) return;
      event.stopPropagation();
      event.preventDefault();
      close.current?.(event as never);
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [listens]);
  return container;
}

/** A dialog with a title, what it is for, its body and its actions: the shell of the app's dialogs. */
export function DescribedDialog({ subtitle, actions, form, children, ...dialog }: DescribedDialogProps) {
  const id = useId();
  const container = useEarlyEscape(dialog);
  const content = (
    <>
      <DialogBody useOverflowScrollContainer={false}>
        {subtitle !== undefined && (
          <p id={id} className="ad-dialog-subtitle">
            {subtitle}
          </p>
        )}
        {children}
      </DialogBody>
      {actions}
    </>
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    form?.onSubmit();
  };
  return (
    <Dialog {...dialog} containerRef={container} {...(subtitle !== undefined && { 'aria-describedby': id })}>
      {form ? (
        <form onSubmit={submit} noValidate={form.noValidate}>
          {content}
        </form>
      ) : (
        content
      )}
    </Dialog>
  );
}
