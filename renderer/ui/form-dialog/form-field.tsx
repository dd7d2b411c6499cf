import { type ReactNode, useId } from 'react';
import './form-dialog.css';

interface FormFieldProps {
  label: ReactNode;
  /** Right of the label: what fills the field in another way. */
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
    <div className="ad-form-field">
      <div className="ad-form-head">
        <label className="ad-form-label" htmlFor={id}>
          {label}
        </label>
        {action}
      </div>
      {children({ id, 'aria-describedby': hint === undefined ? undefined : hintId })}
      {hint !== undefined && (
        <div id={hintId} className="ad-form-hint">
          {hint}
        </div>
      )}
    </div>
  );
}
