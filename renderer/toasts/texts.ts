export const open = 'Open';
export const show = 'Show';
export const newWebhookAlertHasArrived = 'A new webhook alert has arrived';
export const alertFrom = (first: string) => `Alert from ${first}`;
export const newAlerts = (alerts: number) => `${alerts} new alerts`;

export const notificationsF8 = 'Notifications (F8)';

export const undoAll = 'Undo all';
export const undoLast = 'Undo last';
export const undoLastOf = (count: number) => `Undo last ${count}`;

export const tooLateToUndo = 'Too late to undo';
export const newAlertsFrom = (alerts: number, customer: string, customers: number) =>
  `${alerts} new alerts from ${customers === 1 ? customer : `${customers} customers`}`;
