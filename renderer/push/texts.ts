export const failedToSendSubscriptionTo = (why: string) => `Failed to send subscription to server: ${why}`;
export const serviceWorkerRegistrationFailedCheck = 'Service worker registration failed. Check browser compatibility.';
export const failedToCreatePushSubscription = 'Failed to create push subscription. Please check browser settings.';
export const failedToSaveSubscriptionTo = 'Failed to save subscription to server. Please try again.';
export const unexpectedErrorOccurred = 'An unexpected error occurred.';
export const failedToEnableNotifications = 'Failed to enable notifications';
export const unableToEnablePushNotifications = (error: string) => `Unable to enable push notifications. ${error}`;
