export const lastChange = 'The last change';
export const someChanges = (count: number) => `${count} changes`;
export const couldNotBeSaved = (lost: string, message: string) => `${lost} could not be saved. ${message}`;
export const loggedOut = 'Logged out';
export const couldNotLogOut = 'Could not log out';
