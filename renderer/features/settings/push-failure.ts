import { PushError, type PushStep } from '#renderer/lib/notifications/push-subscription.ts';
import type { Toast } from '#renderer/lib/toast-queue.ts';

/** What failed, and what to do. */
const STEPS: Record<PushStep, string> = {
  worker: 'Service worker registration failed. Check browser compatibility.',
  subscription: 'Failed to create push subscription. Please check browser settings.',
  server: 'Failed to save subscription to server. Please try again.',
};

/** Why pushes could not be had, in one sentence. */
export const causeOf = (error: Error): string =>
  error instanceof PushError ? STEPS[error.step] : error.message || 'An unexpected error occurred.';

/** The toast for pushes that could not be enabled. */
export const pushFailure = (error: Error): Toast => ({
  variant: 'destructive',
  title: 'Failed to enable notifications',
  description: `Unable to enable push notifications. ${causeOf(error)}`,
});
