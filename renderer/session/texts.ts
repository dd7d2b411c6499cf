export const orderCouldNotBeRemembered = 'The order could not be remembered';
export const thatCouldNotBeRemembered = 'That could not be remembered';
