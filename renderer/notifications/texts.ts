export const resolvedByItsSender = 'Resolved by its sender';
export const stillInYourQueue = (status: string) => `Still ${status} in your queue`;
export const complete = 'Complete';
export const open = 'Open';

export const notSupported = 'Not supported';
export const desktopNotificationsAreNotSupported = 'Desktop notifications are not supported in your browser';
export const permissionDenied = 'Permission denied';
export const youveBlockedNotificationsPleaseEnable =
  "You've blocked notifications. Please enable them in your browser settings";
export const notificationsTurnedOff = 'Notifications turned off';
export const thisBrowserWasRemovedFrom =
  'This browser was removed from your devices. You can turn it on again in Settings.';

export const newAlertsSum = (sum: number, more: string) => `${sum}${more} new alerts`;
export const newAlertsReceived = 'New alerts received';

export const notificationsPaused = 'Notifications paused';
export const untilTime = (time: string) => `Until ${time}`;
export const notificationsResumed = 'Notifications resumed';
export const failedToPause = 'Failed to pause notifications';
export const thatTimeIsOverOnServer = 'By the server’s clock that time is over.';
export const failedToResume = 'Failed to resume notifications';

export const chime = 'Chime';
export const ping = 'Ping';
export const knock = 'Knock';
export const alarm = 'Alarm';

export const whileDisconnected = 'While you were disconnected';
export const newAlertsInStorm = (count: string) => `${count} new alerts.`;

export const notificationsEnabled = 'Notifications enabled';
export const notificationsDisabled = 'Notifications disabled';
