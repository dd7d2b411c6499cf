import { type ReactNode, useId } from 'react';
import * as styles from './outgoing.module.css';

interface RowProps {
  label: string;
  hint?: string | undefined;
  /** What is wrong with what was written. */
  fault?: string | undefined;
  children: (id: string, described: { 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}

/** A setting: its name, its control, and what is to be known of it. */
export function Row({ label, hint, fault, children }: RowProps) {
  const id = useId();
  const faultId = useId();
  return (
    <div className={styles.setting}>
      <label htmlFor={id}>{label}</label>
      <div>
        {children(id, fault === undefined ? {} : { 'aria-describedby': faultId, 'aria-invalid': true })}
        <output id={faultId} className={styles.fault} hidden={fault === undefined}>
          {fault}
        </output>
        {hint && <p className={styles.hint}>{hint}</p>}
      </div>
    </div>
  );
}
