export const alerts = 'The alerts';
export const exportHint = (alerts: string) =>
  `${alerts} in this list, filtered and sorted as shown, with all fields and notes. Times are in your time zone.`;
export const jsonWithEveryFieldAs = 'JSON, with every field as received';
export const alertsExported = 'Alerts exported';

export const exportOf = (title: string) => `Export ${title}`;
export const csvForSpreadsheets = 'CSV, for spreadsheets';
export const doneOfTotal = (doneText: string, totalText: string) => `${doneText} of ${totalText}`;
export const exportedCounted = (counted: string) => `Exported ${counted}`;
export const exportStopped = (failure: string) => `The export stopped: ${failure} Nothing was saved.`;
