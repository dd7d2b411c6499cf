import { Button } from '@blueprintjs/core';
import { type ReactNode, useId } from 'react';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import { useIsShown } from '#renderer/lib/use-is-shown.ts';
import { HoldWhile } from '#renderer/ui/hold-while.tsx';
import { useKeepPage } from '#renderer/ui/leave-guard.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './form-dialog.module.css';

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
  /** For what cannot be taken back: it closes by its primary action alone. */
  hasNoCancel?: boolean;
  /**
   * A secret is being created that only this page will show. Nothing takes that back: until it is there, the dialog stays, and so
   * does the page.
   */
  isMakingSecret?: boolean;
  children: ReactNode;
}

/** The first field; in a question that has none, Cancel. */
const focusFirst = (dialog: HTMLElement): void =>
  (
    dialog.querySelector<HTMLElement>('[data-first-field], input:enabled, select:enabled') ??
    dialog.querySelector<HTMLElement>(`.${styles.actions} button`)
  )?.focus();

/** A dialog that is a form: fields, Cancel, and the primary action last. */
export function FormDialog(props: FormDialogProps) {
  const { title, subtitle, presence, onSubmit, submit, noValidate = false, hasNoCancel = false } = props;
  const { isMakingSecret = false, children } = props;
  useKeepPage(presence.isOpen);
  const isOpen = useIsShown(presence.isOpen);
  const send = (): void => {
    // It can still be sent while it fades, as it was drawn last when it was open.
    if (isOpen() && !submit.isPending && !submit.isDisabled) onSubmit();
  };
  const close = (): void => {
    if (!isMakingSecret) presence.onClose();
  };
  return (
    <DescribedDialog
      {...presence}
      onClose={close}
      className={styles.dialog}
      title={title}
      subtitle={subtitle}
      onOpening={focusFirst}
      {...(hasNoCancel && { isCloseButtonShown: false, canEscapeKeyClose: false, canOutsideClickClose: false })}
      form={{ onSubmit: send, noValidate }}
      actions={
        <div className={styles.actions}>
          {!hasNoCancel && <Button text={pageTexts.cancel} disabled={isMakingSecret} onClick={close} />}
          <Button
            type="submit"
            intent={submit.intent ?? 'primary'}
            disabled={submit.isDisabled ?? false}
            aria-disabled={submit.isPending || undefined}
            text={submit.isPending ? submit.pendingText : submit.text}
          />
        </div>
      }
    >
      <HoldWhile isPending={isMakingSecret} />
      <div className={styles.fields}>{children}</div>
    </DescribedDialog>
  );
}

interface FormFieldProps {
  label: ReactNode;
  /** Right of the label: another way to fill the field. */
  action?: ReactNode;
  /** Below the field; it describes it to screen readers, too. */
  hint?: ReactNode;
  /** Draws the field with the id that its label points to, and that of its hint. */
  children: (ids: { id: string; 'aria-describedby': string | undefined }) => ReactNode;
}

/** A label over a field, and what helps to fill it. */
export function FormField({ label, action, hint, children }: FormFieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
        {action}
      </div>
      {children({ id, 'aria-describedby': hint === undefined ? undefined : hintId })}
      {hint !== undefined && (
        <div id={hintId} className={styles.hint}>
          {hint}
        </div>
      )}
    </div>
  );
}
