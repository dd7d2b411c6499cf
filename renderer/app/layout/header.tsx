import { Button, Tooltip } from '@blueprintjs/core';
import { MenuClosedIcon, MenuIcon, MenuOpenIcon } from '@blueprintjs/icons';
import { ConnectionWord } from './connection-word.tsx';
import './header.css';

interface HeaderProps {
  mobile: boolean;
  /** Whether the sidebar is open. */
  open: boolean;
  onToggle: () => void;
}

const shortcut = /Mac|iP(?:hone|ad)/.test(navigator.userAgent) ? '⌘B' : 'Ctrl+B';

/** The bar over every signed-in screen: sidebar trigger, title, connection (spec.md section 2). */
export function Header({ mobile, open, onToggle }: HeaderProps) {
  const icon = open ? <MenuClosedIcon /> : <MenuOpenIcon />;
  return (
    <header className="ad-header">
      <Tooltip
        content={`Toggle the sidebar (${shortcut})`}
        hoverOpenDelay={700}
        placement="bottom-start"
        disabled={mobile}
      >
        <Button
          variant="minimal"
          className="ad-header-trigger"
          icon={mobile ? <MenuIcon /> : icon}
          aria-label="Toggle the sidebar"
          aria-expanded={open}
          onClick={onToggle}
        />
      </Tooltip>
      <div className="ad-header-title">Alert Management</div>
      <ConnectionWord />
    </header>
  );
}
