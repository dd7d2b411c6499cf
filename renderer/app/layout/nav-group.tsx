import { type ReactNode, useId } from 'react';

interface NavGroupProps {
  label: string;
  children: ReactNode;
}

/** A labelled group of rows in the sidebar. */
export function NavGroup({ label, children }: NavGroupProps) {
  const id = useId();
  return (
    <section className="ad-nav-group">
      <div className="ad-nav-group-head">
        <h2 id={id} className="ad-nav-group-label">
          {label}
        </h2>
      </div>
      <ul aria-labelledby={id}>{children}</ul>
    </section>
  );
}
