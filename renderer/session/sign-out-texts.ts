export const lastChange = 'The last change';
export const someChanges = (countText: string) => `${countText} changes`;
export const couldNotBeSaved = (lost: string, message: string) => `${lost} could not be saved. ${message}`;
export const mayNotBeSaved = (lost: string, message: string) => `${lost} may not have been saved. ${message}`;
export const tookTooLong = 'The server took too long.';
export const loggedOut = 'Logged out';
export const couldNotLogOut = 'Could not log out';
