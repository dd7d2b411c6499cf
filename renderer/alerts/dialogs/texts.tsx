import type { ReactNode } from 'react';

export const extraInformation = 'Extra Information';
export const extraInformationHint = 'Additional fields from this alert';
export const additionalFields = 'Additional fields';
export const copyField = (name: string) => `Copy ${name}`;
export const copyJson = 'Copy JSON';

export const alertHistory = 'Alert History';
export const historyHint = 'Complete tracking history for this alert';
export const loadingHistory = 'Loading history...';
export const historyNotLoaded = (message: string) => `The history could not be loaded. ${message}`;
export const noHistoryAvailable = 'No history available';
export const historyEntries = 'History entries';
export const byPerson = (name: ReactNode) => <>By {name}</>;
