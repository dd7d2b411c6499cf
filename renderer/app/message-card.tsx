import type { ReactNode } from 'react';
import './message-card.css';

/** A card in the middle of the free space that says one thing: an icon, a title, a text, at most a few buttons. */
export function MessageCard(props: { icon: ReactNode; title: string; children: ReactNode; actions?: ReactNode }) {
  const { icon, title, children, actions } = props;
  return (
    <div className="ad-message">
      <div className="ad-message-card">
        <div className="ad-message-icon">{icon}</div>
        <h1 className="ad-message-title">{title}</h1>
        <div className="ad-message-text">{children}</div>
        {actions && <div className="ad-message-actions">{actions}</div>}
      </div>
    </div>
  );
}
