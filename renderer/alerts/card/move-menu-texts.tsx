import type { ReactNode } from 'react';

export const moveTo = 'Move to';
export const filterFolders = 'Filter folders';
export const moveToFolder = (name: ReactNode) => <>Move to {name}</>;
export const inFolder = (path: ReactNode) => <>in {path}</>;
