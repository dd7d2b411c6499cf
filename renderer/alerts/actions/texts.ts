export const itIsNoLongerIn = 'It is no longer in the inbox.';

export const act = 'Act';
export const acceptAndStart = 'Accept and start';
export const acceptAndComplete = 'Accept and complete';

export const moreActions = 'More actions';

export const alertActions = 'Alert actions';
export const extraInformation = 'Extra information';
export const countMore = (count: number) => `${count} more`;

export const next = 'Next';
export const previous = 'Previous';
export const selectDeselect = 'Select, deselect';
export const extend = 'Extend';

export const assign = 'Assign';
export const assignTo = 'Assign…';

export const couldNotUndo = (title: string) => `Could not undo: ${title}`;
export const alertDeleted = 'Alert deleted';
export const countDeleted = (count: number) => `${count} deleted`;
export const couldNotDeleteAlert = 'Could not delete the alert';
export const itWasReturnedToInbox = 'It was returned to the inbox.';
export const itHasBeenChangedSince = 'It has been changed since.';

export const andThen = (done: string) => ` and ${done}`;
export const alertAccepted = (also: string) => `Alert accepted${also}`;
export const movedToYourQueue = 'Moved to your queue';
export const couldNotAcceptAlert = 'Could not accept the alert';
export const alertUnaccepted = 'Alert unaccepted';
export const returnedToInbox = 'Returned to the inbox';
export const couldNotReturnAlert = 'Could not return the alert';
export const statusUpdated = 'Status updated';
export const alertStatusChangedTo = (status: string) => `Alert status changed to ${status}`;
export const changedTo = (status: string) => `changed to ${status}`;
export const couldNotChangeStatus = 'Could not change the status';
export const alertMoved = 'Alert moved';
export const movedTo = (name: string) => `Moved to ${name}`;
export const movedToMyAlerts = 'Moved to My Alerts';
export const couldNotMoveAlert = 'Could not move the alert';
export const alertSnoozed = 'Alert snoozed';
export const couldNotSnoozeAlert = 'Could not snooze the alert';
export const alertUnsnoozed = 'Alert unsnoozed';
export const couldNotUnsnoozeAlert = 'Could not unsnooze the alert';
export const alertAssigned = 'Alert assigned';
export const assignedTo = (name: string) => `Assigned to ${name}`;

export const assignedInText = (name: string) => `assigned to ${name}`;

export const couldNotAssignAlert = 'Could not assign the alert';

export const look = 'Look';

export const alertHistory = 'Alert history';
export const writeNote = 'Write a note';

export const move = 'Move';
export const moveTo = 'Move to';
export const removeFromFolder = 'Remove from folder';

export const mute = 'Mute';

export const makeRule = 'Make a rule…';

export const snooze = 'Snooze';
export const snoozeUntilAnotherTime = 'Snooze until another time';

export const unaccept = 'Unaccept';

export const unsnooze = 'Unsnooze';
export const backInInbox = 'Back in the inbox';
export const backInYourQueue = 'Back in your queue';
export const acceptedItFirst = (owner: string | undefined) => `${owner ?? 'Someone'} accepted it first.`;
export const accept = 'Accept';
export const accepted = (also: string) => `accepted${also}`;
export const unaccepted = 'unaccepted';
export const moved = 'moved';
export const snoozed = 'snoozed';
export const woken = 'woken';
export const started = 'started';
export const completed = 'completed';
