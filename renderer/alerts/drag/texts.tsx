import type { ReactNode } from 'react';

export const dragHelp =
  'Press Space or Enter to pick the alert up. While dragging, use the arrow keys to move it over a folder, Space or Enter to drop it, and Escape to cancel. The alert’s menu offers the same under Move to.';
export const pickedUp = (alert: string) => `${alert} was picked up.`;
export const notOverFolder = 'Not over a folder.';
export const overFolder = (folder: string) => `Over ${folder}.`;
export const droppedOutside = (alert: string) => `${alert} was dropped outside of the folders and stays where it was.`;
export const movedTo = (alert: string, folder: string) => `${alert} was moved to ${folder}.`;
export const staysWhereItWas = (alert: string) => `${alert} stays where it was.`;

export const dragToFolder = 'Drag to a folder';

export const createFolderHint = 'Please create a folder before organizing alerts';
export const createFolderFirst = 'Create a folder first';

export const moveToFolder = (name: ReactNode) => <>Move to {name}</>;
export const draggable = 'draggable';
