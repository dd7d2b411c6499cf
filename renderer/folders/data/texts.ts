export const folderDeletedInText = 'folder deleted';
export const oneFolderDeleted = 'Folder deleted';
export const alertsInReturnToMy = (name: string) => `The alerts in ${name} return to My Alerts`;
export const foldersDeleted = (count: number) => `${count} folders deleted`;
export const theirAlertsReturnToMy = 'Their alerts return to My Alerts';
export const couldNotDeleteFolder = 'Could not delete the folder';
