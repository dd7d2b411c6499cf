export const inThisFolder = 'in this folder';
export const yourFolders = 'Your folders';
export const inYourFolders = 'in your folders';
export const yourFoldersAreEmpty = 'Your folders are empty';
export const moveAlertsFromYourQueue = 'Move alerts from your queue to organize them in folders.';
export const isEmpty = (name: string) => `${name} is empty`;
export const moveAlertsFromYourQueueTo = 'Move alerts from your queue to organize them in this folder.';
export const folderNotFound = 'Folder not found';
export const thisFolderMayHaveBeen = 'This folder may have been deleted.';
