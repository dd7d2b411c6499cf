import { Button, Dialog, DialogBody } from '@blueprintjs/core';
import { type FormEvent, type ReactNode, useId } from 'react';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import './form-dialog.css';

interface FormDialogProps {
  presence: DialogPresence;
  title: string;
  /** Muted, below the title. */
  subtitle?: ReactNode;
  /** Asked for with valid fields only, unless `noValidate` leaves that to the form. */
  onSubmit: () => void;
  /** What the primary button says, also while it works. */
  submit: {
    text: string;
    pendingText: string;
    isPending: boolean;
    isDisabled?: boolean;
    intent?: 'primary' | 'danger';
  };
  noValidate?: boolean;
  children: ReactNode;
}

/** The first field; in a question that has none, the way out. */
const focusFirst = (dialog: HTMLElement): void =>
  (
    dialog.querySelector<HTMLElement>('input, select') ?? dialog.querySelector<HTMLElement>('.ad-form-actions button')
  )?.focus();

/** A dialog that is a form: fields, Cancel, and the primary action last. */
export function FormDialog(props: FormDialogProps) {
  const { title, subtitle, presence, onSubmit, submit, noValidate = false, children } = props;
  const subtitleId = useId();
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (!submit.isPending && !submit.isDisabled) onSubmit();
  };
  return (
    <Dialog
      {...presence}
      className="ad-form-dialog"
      title={title}
      onOpening={focusFirst}
      {...(subtitle !== undefined && { 'aria-describedby': subtitleId })}
    >
      <form onSubmit={send} noValidate={noValidate}>
        <DialogBody useOverflowScrollContainer={false}>
          {subtitle !== undefined && (
            <p id={subtitleId} className="ad-form-subtitle">
              {subtitle}
            </p>
          )}
          <div className="ad-form-fields">{children}</div>
        </DialogBody>
        <div className="ad-form-actions">
          <Button text="Cancel" onClick={presence.onClose} />
          <Button
            type="submit"
            intent={submit.intent ?? 'primary'}
            disabled={submit.isDisabled ?? false}
            aria-disabled={submit.isPending || undefined}
            text={submit.isPending ? submit.pendingText : submit.text}
          />
        </div>
      </form>
    </Dialog>
  );
}
