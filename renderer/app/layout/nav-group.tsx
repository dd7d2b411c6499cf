import { type ReactNode, useId } from 'react';

interface NavGroupProps {
  label: string;
  /** A button beside the label. */
  action?: ReactNode;
  children: ReactNode;
}

/** A labelled group of rows in the sidebar. */
export function NavGroup({ label, action, children }: NavGroupProps) {
  const id = useId();
  return (
    <section className="ad-nav-group">
      <div className="ad-nav-group-head">
        <h2 id={id} className="ad-nav-group-label">
          {label}
        </h2>
        {action}
      </div>
      <ul aria-labelledby={id}>{children}</ul>
    </section>
  );
}
