import { Dialog, DialogBody, type DialogProps } from '@blueprintjs/core';
import { type FormEvent, type ReactNode, useId } from 'react';

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

/** A dialog with a title, what it is for, its body and its actions: the shell of the app's dialogs. */
export function DescribedDialog({ subtitle, actions, form, children, ...dialog }: DescribedDialogProps) {
  const id = useId();
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
    <Dialog {...dialog} {...(subtitle !== undefined && { 'aria-describedby': id })}>
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
