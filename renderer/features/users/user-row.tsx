import { Button, Tag } from '@blueprintjs/core';
import { memo, useId } from 'react';
import type { PublicUser } from '#backend/contract/user.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatDate, formatExactTime } from '#renderer/lib/times.ts';
import { ROLE_WORDS } from './role-words.ts';

interface UserRowProps {
  user: PublicUser;
  /** Whether this is who is looking. */
  isMe: boolean;
  /** A change is on its way. */
  isBusy: boolean;
  onToggle: (user: PublicUser) => void;
  onReset: (user: PublicUser) => void;
}

/** A member: name, role, state, date of creation. */
export const UserRow = memo(function UserRow({ user, isMe, isBusy, onToggle, onReset }: UserRowProps) {
  const nameId = useId();
  const createdAt = new Date(user.createdAt);
  return (
    <li className="ad-user-card" aria-labelledby={nameId}>
      <div className="ad-user-card-who">
        <span className="ad-user-card-name" id={nameId} dir="auto" data-tip={inertLine(user.displayName)}>
          {inertLine(user.displayName)}
        </span>
        <span className="ad-user-card-email" data-tip={inertLine(user.email)}>
          <bdi>{inertLine(user.email)}</bdi>
        </span>
      </div>
      <div className="ad-user-card-badges">
        <Tag minimal className="ad-user-card-role">
          {ROLE_WORDS[user.role]}
        </Tag>
        <span className={`ad-user-card-state${user.isActive ? ' ad-user-card-state--active' : ''}`}>
          {user.isActive ? 'Active' : 'Disabled'}
        </span>
        {isMe && <span className="ad-badge">You</span>}
      </div>
      <div className="ad-user-card-created">
        Created{' '}
        <time dateTime={user.createdAt} data-tip={formatExactTime(createdAt)} data-tip-always>
          {formatDate(createdAt)}
        </time>
      </div>
      <div className="ad-user-card-actions">
        <Button text="Reset Password" aria-describedby={nameId} aria-haspopup="dialog" onClick={() => onReset(user)} />
        <Button
          className="ad-user-card-toggle"
          text={user.isActive ? 'Disable' : 'Enable'}
          aria-describedby={nameId}
          aria-disabled={isBusy || undefined}
          onClick={() => !isBusy && onToggle(user)}
        />
      </div>
    </li>
  );
});
