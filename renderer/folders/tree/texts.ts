export const createFolder = 'Create Folder';

export const open = (name: string, badge: string, count: number) =>
  `${name} ${badge} open ${count === 1 ? 'alert' : 'alerts'}`;
export const deleteFolder = (name: string) => `Delete folder ${name}`;

export const createOneFolder = 'Create a folder';
export const yourFoldersCouldNotBe = 'Your folders could not be loaded.';
export const dropToCreateFolder = 'Drop to create folder';
