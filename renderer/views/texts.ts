export const namedFilterInSidebarWith = 'A named filter in the sidebar, with a live count.';
export const saveView = 'Save View';
export const eGNightShift = 'e.g., Night shift';
export const list = 'List';
export const filter = 'Filter';
export const wordsAndFiltersSuchAs =
  'Words, and filters such as severity:critical or customer:Nordwind. Leave empty for the whole list.';
export const notifications = 'Notifications';

export const couldNotSaveView = 'Could not save the view';
export const alertsIn = (name: string) => `Alerts in ${name}`;
export const couldNotMoveView = 'Could not move the view';
export const viewDeletedInText = 'view deleted';
export const oneViewDeleted = 'View deleted';
export const itsAlertsStayWhereThey = 'Its alerts stay where they are';
export const viewsDeleted = (count: number) => `${count} views deleted`;
export const theirAlertsStayWhereThey = 'Their alerts stay where they are';
export const couldNotDeleteView = 'Could not delete the view';

export const saveOneView = 'Save a view';
export const views = 'Views';
export const yourViewsCouldNotBe = 'Your views could not be loaded.';
export const sharedWithEveryone = 'Shared with everyone';
export const sharedWithAdministrators = 'Shared with administrators and super users';
export const shared = 'Shared';
export const alertsAreBeingCounted = 'The alerts are being counted';

export const asMySettings = 'Use my settings';
export const alwaysNotifyMe = 'Always notify me';
export const highAndAbove = 'High and above';
export const critical = 'Critical';
export const onlyWhatIsMine = 'Only what is mine';
export const neverNotifyMe = 'Never notify me';
export const asOfAllOtherAlerts = 'As of all other alerts.';
export const ofEachAlertInIt = 'Of each alert in it, unless its customer, type or source says otherwise.';
export const ofCriticalAndHighOnes = 'Of critical and high ones in it, and of what is mine.';
export const ofCriticalOnesInIt = 'Of critical ones in it, and of what is mine.';
export const onlyOfWhatIsMine = 'Only of what is mine in it.';
export const noNotificationsUnlessCustomerType =
  'No notifications, unless the customer, type or source says otherwise.';
export const exampleOfFilter = 'severity:critical disk';
