export const selectAllThatMatch = 'Select all that match';
export const thisList = 'This list';
export const countSelected = (countText: string) => `${countText} selected`;
export const clearSelection = 'Clear the selection';
