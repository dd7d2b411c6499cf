import { PopupKind } from '@blueprintjs/core';
import { NotificationsIcon } from '@blueprintjs/icons';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';

const loadRecent = async () => (await import('#renderer/notifications/recent-notifications.tsx')).RecentNotifications;

/** Behind it is what the toasts said: each is gone too soon for somebody who looked away. */
export function RecentNotificationsButton() {
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
