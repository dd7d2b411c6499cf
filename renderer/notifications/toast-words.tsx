import { Classes } from '@blueprintjs/core';
import { ErrorIcon, NotificationsIcon, TickIcon } from '@blueprintjs/icons';
import type { DismissedToast } from '#renderer/lib/toast-queue.ts';

/** What a toast says, while it is shown and afterwards. */
type ToastWordsEntry = Pick<DismissedToast, 'intent' | 'title' | 'description'>;

const ICONS = {
  news: <NotificationsIcon />,
  done: <TickIcon />,
  error: <ErrorIcon />,
};

/** What a toast says: an icon that carries its intent, a title, a description. */
export function ToastWords({ entry: { intent, title, description } }: { entry: ToastWordsEntry }) {
  return (
    <>
      <span className="ad-toast-icon">{ICONS[intent]}</span>
      <div className={`${Classes.TOAST_MESSAGE} ad-toast-words`}>
        <div className="ad-toast-title">{title}</div>
        {description !== undefined && <div className="ad-toast-description">{description}</div>}
      </div>
    </>
  );
}
