export const changedMeanwhile = 'Someone else has saved the same settings in the meantime.';
export const showTheirs = 'Show theirs';
export const keepEditing = 'Keep editing';
