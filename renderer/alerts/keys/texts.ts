export const forYou = 'For you';

export const noStatusHere = 'There is no status to set here.';
export const nothingToDoHere = (action: string) => `There is nothing to ${action} here.`;
