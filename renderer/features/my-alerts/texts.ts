export const countSnoozed = (countText: string) => `${countText} snoozed`;
export const acceptAlertsFromInboxTo = 'Accept alerts from the inbox to see them here in your personal queue.';
