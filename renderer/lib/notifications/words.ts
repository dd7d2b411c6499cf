import type { Toast } from '#renderer/lib/toast-queue.ts';

/** This browser has no notifications, at least not on this page. */
export const UNSUPPORTED: Toast = {
  variant: 'destructive',
  title: 'Not supported',
  description: 'Desktop notifications are not supported in your browser',
};

/** The permission is denied, now or from before. */
export const PERMISSION_DENIED: Toast = {
  variant: 'destructive',
  title: 'Permission denied',
  description: "You've blocked notifications. Please enable them in your browser settings",
};

/** This browser was removed in Settings on another device, or the server has given it up. */
export const REMOVED: Toast = {
  title: 'Notifications switched off',
  description: 'This browser is no longer among your devices. You can switch it on again in Settings.',
};
