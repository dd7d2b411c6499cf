import type { ReactNode } from 'react';
import { countText } from '#backend/contract/count-text.ts';

export const banner = 'Maintenance';
export const isOnUntil = (name: ReactNode, time: string) => (
  <>
    {name} is on until {time}.
  </>
);
export const endsNow = (name: ReactNode) => <>{name} ends in a moment.</>;
/** @param time with its day where that is another one, which has no "at" before it */
export const severalOn = (count: number, time: string) =>
  `${count} windows are on, the next ends ${/^\d/.test(time) ? 'at ' : ''}${time}.`;
export const kept = (count: ReactNode, number: number, customer: string | undefined) => (
  <>
    {count} {number === 1 ? 'alert' : 'alerts'}
    {customer === undefined ? '' : ` of ${customer}`}{' '}
    {number === 1 ? 'is kept and notifies nobody.' : 'are kept and notify nobody.'}
  </>
);
export const nothingYet = 'What arrives is kept and notifies nobody.';
export const show = (count: number) => (count === 0 ? 'Show' : `Show ${countText(count)}`);
export const showWindows = 'Show windows';
export const extend = 'Extend 30 min';
export const endNow = 'End now';
export const actions = 'Actions of the window';
export const undo = 'Undo';
export const extended = 'Extended by 30 minutes';
export const until = (time: string) => `It is on until ${time}.`;
export const ended = (name: string) => `${name} ends now`;
export const endedHint = 'What still fires comes back, with one notification for all.';
export const resumed = (name: string) => `${name} goes on`;
export const failed = 'The window was not changed';
