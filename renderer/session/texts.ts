export const orderCouldNotBeRemembered = 'Could not save the sort order';
export const thatCouldNotBeRemembered = 'Could not save that';
