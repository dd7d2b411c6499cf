import type { Toast } from '#renderer/lib/toast-queue.ts';

/** This browser knows no notifications, at least not here (spec.md section 8). */
export const UNSUPPORTED: Toast = {
  variant: 'destructive',
  title: 'Not supported',
  description: 'Desktop notifications are not supported in your browser',
};

/** The person said no, now or before (spec.md section 8). */
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
