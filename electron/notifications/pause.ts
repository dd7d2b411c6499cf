import { MORNING_HOUR, daysUntilMorning } from '#backend/contract/notification-settings.ts';
import type { DesktopNotification } from '#electron/contract/desktop.ts';

/** A pause that the tray offers. */
export interface Pause {
  label: string;
  /** Until when, from now on; `forever`: until it is taken back. */
  until: (now: Date) => string;
}

const after =
  (minutes: number) =>
  (now: Date): string =>
    new Date(now.getTime() + minutes * 60_000).toISOString();

/** The next morning, on this computer's clock. */
const tomorrowMorning = (now: Date): string =>
  new Date(
    now.getFullYear(),
    now.getMonth(),
    now.getDate() + daysUntilMorning(now.getHours()),
    MORNING_HOUR,
  ).toISOString();

export const ONE_HOUR: Pause = { label: 'For 1 hour', until: after(60) };

export const PAUSES: readonly Pause[] = [
  { label: 'For 30 minutes', until: after(30) },
  ONE_HOUR,
  { label: 'Until tomorrow morning', until: tomorrowMorning },
  { label: 'Until I resume them', until: () => 'forever' },
];

/** Whether a pause lasts. */
export const isPaused = (until: string | null, now: Date): boolean =>
  until !== null && (until === 'forever' || Date.parse(until) > now.getTime());

/** Whether a pause keeps a notification back: not one that answers a button, as somebody waits for that. */
export const isKeptBack = (
  { isAnswer = false }: Pick<DesktopNotification, 'isAnswer'>,
  until: string | null,
  now: Date,
): boolean => !isAnswer && isPaused(until, now);
