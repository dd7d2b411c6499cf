import type { ReactNode } from 'react';

export const forType = (type: ReactNode) => <>for {type}</>;

export const noLongerInInbox = 'No longer in the inbox';
export const thisAlertWasAcceptedOr = 'This alert was accepted or deleted in the meantime.';
