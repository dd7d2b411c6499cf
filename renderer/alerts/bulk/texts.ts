export const couldNotSelectAllAlerts = 'Could not select all alerts';
