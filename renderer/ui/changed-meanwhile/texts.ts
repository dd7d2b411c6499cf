export const changedMeanwhile = 'Someone else has saved the same settings in the meantime.';
export const deletedMeanwhile = (name: string) => `“${name}” was deleted by someone else.`;
export const saveAsNew = 'Save as new';
export const discard = 'Discard';
export const showTheirs = 'Show theirs';
export const keepEditing = 'Keep editing';
