import { Button } from '@blueprintjs/core';
import { MenuClosedIcon, MenuIcon, MenuOpenIcon } from '@blueprintjs/icons';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
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

/** The bar over every signed-in screen: sidebar trigger, title, connection, past toasts. */
export function Header({ mobile, open, onToggle }: HeaderProps) {
  const icon = open ? <MenuClosedIcon /> : <MenuOpenIcon />;
  return (
    <header className="ad-header">
      <HoverTip>
        <Button
          variant="minimal"
          className="ad-header-trigger"
          icon={mobile ? <MenuIcon /> : icon}
          aria-label="Toggle the sidebar"
          aria-expanded={open}
          aria-keyshortcuts="Control+B Meta+B"
          data-tip={mobile ? undefined : `Toggle the sidebar (${shortcut})`}
          data-tip-always
          data-tip-side="bottom-start"
          onClick={onToggle}
        />
      </HoverTip>
      <div className="ad-header-title">Alert Management</div>
      <ConnectionWord />
      <RecentNotificationsButton />
    </header>
  );
}
