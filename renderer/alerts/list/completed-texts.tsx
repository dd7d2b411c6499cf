import type { ReactNode } from 'react';

export const allToday = 'all today';
export const countToday = (countText: string) => `${countText} today`;
export const theOldest = 'the oldest ';
export const inProgress = 'in progress';
export const completedNotLoaded = 'Completed alerts could not be loaded';
export const failedTryAgain = (message: string) => `${message} Try again`;
export const completed = (total: string, isAtLeast: boolean) => `Completed (${total}${isAtLeast ? '+' : ''})`;
export const lastCompleted = (alert: ReactNode, time: string) => (
  <>
    last: {alert} · {time}
  </>
);
