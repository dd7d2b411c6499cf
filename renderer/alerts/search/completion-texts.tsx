import type { ReactNode } from 'react';

export const calendarCouldNotBeLoaded = 'The calendar could not be loaded. Type a day, such as 2026-11-21.';
export const valuesOf = (label: string) => `Values of ${label}`;
export const chooseDay = 'Choose a day…';
export const completionKeys = (tab: ReactNode, esc: ReactNode) => (
  <>
    choose {tab} complete {esc} close
  </>
);
export const loadingCalendar = 'Loading the calendar…';
export const chooseFirstDay = 'Choose the first day';
export const chooseLastDay = 'Choose the last day';
export const calendarKeys = (enter: ReactNode, esc: ReactNode) => (
  <>
    month {enter} choose {esc} back
  </>
);
