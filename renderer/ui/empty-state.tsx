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
  /** It is all there is on the page, so that its title is the page's. */
  isPage?: boolean;
}

/** What a page shows when there is nothing to list. */
export function EmptyState({ icon, title, text, action, isError = false, isPage = false }: EmptyStateProps) {
  const Title = isPage ? 'h1' : 'h2';
  return (
    <div className="ad-empty" role={isError ? 'alert' : undefined}>
      <div className="ad-empty-icon">{icon}</div>
      <Title className="ad-empty-title">{title}</Title>
      <p className="ad-empty-text">{text}</p>
      {action}
    </div>
  );
}
