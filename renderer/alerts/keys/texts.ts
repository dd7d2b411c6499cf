export const forYou = 'For you';

export const noStatusHere = 'There is no status to set here.';
export const nothingToDoHere = (action: string) => `There is nothing to ${action} here.`;

export const selectAllThatMatch = 'Select all that match';
export const thisList = 'This list';
export const countSelected = (countText: string) => `${countText} selected`;
export const clearSelection = 'Clear the selection';
