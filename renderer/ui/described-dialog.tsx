import { Dialog, DialogBody, type DialogProps } from '@blueprintjs/core';
import { type FormEvent, type ReactNode, useCallback, useEffect, useId, useRef } from 'react';

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

/** A function that stays the same and does what the given one does by now. */
function useLatest<Args extends unknown[]>(given: ((...args: Args) => void) | undefined): (...args: Args) => void {
  const latest = useRef(given);
  useEffect(() => {
    latest.current = given;
  });
  return useCallback((...args: Args) => latest.current?.(...args), []);
}

/**
 * Escape closes a dialog that has just come up and does not have the focus yet, which it takes with the next frame. Blueprint
 * listens inside of the dialog alone, so the key would go to what is behind.
 */
function useEarlyEscape({ isOpen, canEscapeKeyClose = true }: DialogProps, close: (event: never) => void) {
  const container = useRef<HTMLDivElement>(null);
  const listens = isOpen && canEscapeKeyClose;
  useEffect(() => {
    if (!listens) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      const overlay = container.current?.closest('.bp6-overlay');
      if (event.key !== 'Escape' || !overlay || document.activeElement?.closest('.bp6-overlay')) return;
      event.stopPropagation();
      event.preventDefault();
      close(event as never);
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [listens, close]);
  return container;
}

/** A dialog with a title, what it is for, its body and its actions: the shell of the app's dialogs. */
export function DescribedDialog({ subtitle, actions, form, children, ...dialog }: DescribedDialogProps) {
  const id = useId();
  // Blueprint sets an overlay up again for another function.
  const close = useLatest(dialog.onClose);
  const container = useEarlyEscape(dialog, close);
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
    <Dialog
      {...dialog}
      onClose={close}
      containerRef={container}
      {...(subtitle !== undefined && { 'aria-describedby': id })}
    >
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
