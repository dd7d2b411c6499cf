export const hiddenForNow = 'hidden for now';
export const nothingIsSnoozed = 'Nothing is snoozed';
export const snoozeAlertThatCanWait = 'Snooze an alert that can wait. It leaves its list and comes back automatically.';
