import { countText } from '#backend/contract/count-text.ts';
import { PREVIEW_DAYS } from '#backend/contract/notification-exception.ts';
import * as texts from './texts.tsx';

/** A number of the last days as so many a day; of less than one a day, the number itself. */
export function perDay(notifications: number): string {
  if (notifications === 0) return '0';
  if (notifications < PREVIEW_DAYS) return texts.inPreviewDays(notifications, PREVIEW_DAYS);
  return `${countText(Math.round(notifications / PREVIEW_DAYS))} a day`;
}
