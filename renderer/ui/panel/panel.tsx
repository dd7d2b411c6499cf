import { type ReactNode, useId } from 'react';
import './panel.css';

interface PanelProps {
  title: string;
  /** What can be done with the whole of it, right of the title. */
  actions?: ReactNode;
  /** Said below the title. */
  hint?: ReactNode;
  children?: ReactNode;
}

/** A raised sheet with a heading, for what is not a list of alerts. */
export function Panel({ title, actions, hint, children }: PanelProps) {
  const id = useId();
  return (
    <section className="ad-panel" aria-labelledby={id}>
      <div className="ad-panel-head">
        <h2 id={id} className="ad-panel-title">
          {title}
        </h2>
        {actions && <div className="ad-panel-actions">{actions}</div>}
        {hint && <p className="ad-panel-hint">{hint}</p>}
      </div>
      {children}
    </section>
  );
}
