import { Button, PopoverNext, PopupKind } from '@blueprintjs/core';
import { NotificationsIcon } from '@blueprintjs/icons';
import { Suspense } from 'react';
import { lazyPart } from '#renderer/lib/lazy-part.ts';

const RecentNotifications = lazyPart(
  async () => (await import('#renderer/notifications/recent-notifications.tsx')).RecentNotifications,
);

/** Behind it is what the toasts said: each is gone too soon for somebody who looked away. */
export function RecentNotificationsButton() {
  return (
    <PopoverNext
      content={
        <Suspense>
          <RecentNotifications />
        </Suspense>
      }
      placement="bottom-end"
      arrow={false}
      animation="minimal"
      popupKind={PopupKind.DIALOG}
      shouldReturnFocusOnClose
    >
      <Button
        className="ad-header-recent"
        variant="minimal"
        icon={<NotificationsIcon />}
        aria-label="Recent notifications"
      />
    </PopoverNext>
  );
}
