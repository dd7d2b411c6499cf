import type { ReactNode } from 'react';
import './empty-state.css';

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  text: string;
  /** At most one thing to do about it. */
  action?: ReactNode;
  /** Said at once: something failed. */
  isError?: boolean;
}

/** What a page shows when there is nothing to list (tokens.md, "Empty states"). */
export function EmptyState({ icon, title, text, action, isError = false }: EmptyStateProps) {
  return (
    <div className="ad-empty" role={isError ? 'alert' : undefined}>
      <div className="ad-empty-icon">{icon}</div>
      <h2 className="ad-empty-title">{title}</h2>
      <p className="ad-empty-text">{text}</p>
      {action}
    </div>
  );
}
