export const tomorrow = 'Tomorrow';
export const nextMonday = 'Next Monday';

export const snoozeUntil = 'Snooze until';
export const alertComesBackAtThis = 'The alert comes back at this time, with a notification.';
export const snooze = 'Snooze';
export const dateAndTime = 'Date and time';
export const snoozedUntil = (until: string) => `Snoozed ${until}`;
export const thisTimeHasPassedChoose = 'This time has passed. Choose a later one.';
export const chooseTimeWithinNext366 = 'Choose a time within the next 366 days.';

export const chooseDateAndTime = 'Date and time…';
export const untilItFiresAgain = 'Until it fires again';
