export const renameView = 'Rename view';
export const newNameAppliesToEveryone = 'The new name applies to everyone.';
export const rename = 'Rename';

export const saveAsNew = 'Save as new';
export const reset = 'Reset';

export const view = 'View';
export const notifications = 'Notifications';
export const renameAction = 'Rename…';
export const makePrivate = 'Make private';
export const moveUp = 'Move up';
export const moveDown = 'Move down';

export const menuOfView = (name: string) => `Menu of the view ${name}`;

export const yourViews = 'Your views';
export const inSystem = 'in the system';
export const noAlertsInThisView = 'No alerts in this view';
export const alertsThatMatchItAppear = 'Alerts that match it appear here automatically.';
export const viewNotFound = 'View not found';
export const wasDeleted = (name: string) => `${name} was deleted`;
export const thisViewMayHaveBeen = 'This view may have been deleted or is no longer shared.';
export const viewWasDeletedOrIs = 'The view was deleted or is no longer shared. Its alerts are where they were.';
