import { Button, PopupKind } from '@blueprintjs/core';
import { MenuClosedIcon, MenuIcon, MenuOpenIcon, NotificationsIcon } from '@blueprintjs/icons';
import { useAtomValue } from 'jotai';
import { resyncAtom, useConnection } from '#renderer/lib/connection.ts';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
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
      <ConnectionState />
      <RecentNotificationsButton />
    </header>
  );
}

/** The state of the live connection. When it is lost, or alerts may be missing, the strip below the header says so instead. */
function ConnectionState() {
  const connection = useConnection();
  const { isBehind } = useAtomValue(resyncAtom);
  if (connection === 'disconnected' || isBehind) return null;
  const connected = connection === 'connected';
  return (
    <div className={connected ? 'ad-connection ad-connection-connected' : 'ad-connection'}>
      {connected ? 'Connected' : 'Connecting…'}
    </div>
  );
}

const loadRecent = async () => (await import('#renderer/notifications/recent-notifications.tsx')).RecentNotifications;

/** Behind it is what the toasts said: each is gone too soon for somebody who looked away. */
function RecentNotificationsButton() {
  return (
    <PopupButton
      placement="bottom-end"
      popupKind={PopupKind.DIALOG}
      load={loadRecent}
      content={{}}
      button={{
        className: 'ad-header-recent',
        variant: 'minimal',
        icon: <NotificationsIcon />,
        'aria-label': 'Recent notifications',
      }}
    />
  );
}
