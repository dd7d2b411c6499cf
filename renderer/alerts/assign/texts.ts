export const assignThisAlert = 'Assign this alert';
export const assignHint =
  'Status, notes, and history stay with the alert. The new owner is notified once and can hand it back.';

export const handOver = 'Hand over';

export const goToOnePerson = (shown: string, count: number) =>
  `${shown} open ${count === 1 ? 'alert goes' : 'alerts go'} to one person, with their status, notes and history.`;
export const handOverSome = (count: string) => `Hand over ${count}`;
export const alertsNotLoaded = (message: string) => `Your alerts could not be loaded. ${message}`;
export const to = 'To';
export const recipientHint = 'Notified once, and can hand the alerts back.';
export const which = 'Which';
export const allOpen = 'All open';
export const onlyInProgress = 'Only In Progress';
export const alsoAlertsInMyFolders = 'Also the alerts in my folders';
export const nothingIsOpenHere = 'Nothing is open here.';
export const bySeverity = 'By severity';
export const snoozedGoToo = (shown: string, snoozed: number) =>
  `${shown} snoozed ${snoozed === 1 ? 'alert goes too and keeps its' : 'alerts go too and keep their'} time.`;
export const note = 'Note';
export const optional = '(optional)';

export const peopleNotLoaded = (message: string) => `The people could not be loaded. ${message}`;
export const loadingPeople = 'Loading people...';
export const thereIsNoOneElse = 'There is no one else yet.';
export const assignTo = 'Assign to';
export const findPeople = 'Find people';
export const you = ' (you)';

export const thereIsNoOneElseYet = 'There is no one else yet';
export const choosePerson = 'Choose a person';
