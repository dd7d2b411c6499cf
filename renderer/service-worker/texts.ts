export const newAlertsReceived = 'New alerts received';
export const openToSeeThem = 'Open Alertdesk to see them';
