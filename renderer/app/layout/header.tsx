import { Button, Tooltip } from '@blueprintjs/core';
import { MenuClosedIcon, MenuIcon, MenuOpenIcon } from '@blueprintjs/icons';
import { ConnectionWord } from './connection-word.tsx';
import { RecentNotificationsButton } from './recent-notifications-button.tsx';
import './header.css';

interface HeaderProps {
  mobile: boolean;
  /** Whether the sidebar is open. */
  open: boolean;
  onToggle: () => void;
}

const shortcut = /Mac|iP(?:hone|ad)/.test(navigator.userAgent) ? '⌘B' : 'Ctrl+B';

/** The bar over every signed-in screen: sidebar trigger, title, connection, past toasts (spec.md section 2). */
export function Header({ mobile, open, onToggle }: HeaderProps) {
  const icon = open ? <MenuClosedIcon /> : <MenuOpenIcon />;
  return (
    <header className="ad-header">
      <Tooltip
        content={`Toggle the sidebar (${shortcut})`}
        hoverOpenDelay={700}
        placement="bottom-start"
        disabled={mobile}
        // Its own way to render the target would take `aria-expanded` from the button.
        renderTarget={({ ref, className, onFocus, onBlur, onMouseEnter, onMouseLeave }) => (
          <Button
            ref={ref}
            onFocus={(event) => onFocus?.(event)}
            onBlur={(event) => onBlur?.(event)}
            onMouseEnter={(event) => onMouseEnter?.(event)}
            onMouseLeave={(event) => onMouseLeave?.(event)}
            variant="minimal"
            className={`ad-header-trigger ${className ?? ''}`}
            icon={mobile ? <MenuIcon /> : icon}
            aria-label="Toggle the sidebar"
            aria-expanded={open}
            aria-keyshortcuts="Control+B Meta+B"
            onClick={onToggle}
          />
        )}
      />
      <div className="ad-header-title">Alert Management</div>
      <ConnectionWord />
      <RecentNotificationsButton />
    </header>
  );
}
