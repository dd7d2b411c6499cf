import type { Alert } from './alert.ts';

/** What every page and the service worker ask of an alert that is news: without a schema, so that it stays small. */

/** The path of an alert: the alert, beside the list that it is opened from or on a page of its own. */
export const pathOfAlert = (alertId: string): string => `/alert/${encodeURIComponent(alertId)}`;

/** An alert that is news; `isBack`: because its snooze has ended. */
export type AlertNews = Alert & { isBack?: boolean };

/** What is said of alerts that are news. @param isBack their snooze has ended. @param isFlapping their problems open and close again and again. */
export const newsTitle = (isBack: boolean, isFlapping: boolean): string =>
  isBack ? 'Snoozed alert is back' : isFlapping ? 'Alert is flapping' : 'New alert received';
