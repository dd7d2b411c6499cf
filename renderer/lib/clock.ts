import type { Clock } from '#backend/contract/search-times.ts';
import type { Session } from '#backend/contract/session.ts';

let ownZone: string | undefined;
let toZone = (time: Date): Date => time;
let is24Hours = false;

/**
 * Has times written as the member reads them, from now on. What knows time zones is fetched for who chose one; rejects when
 * that cannot be had, because times of this device's zone would be taken for theirs.
 */
export async function setClock<Known extends Session>(session: Known): Promise<Known> {
  const { timeFormat, timeZone } = session;
  const zones = timeZone && (await import(/* webpackChunkName: "time-zones" */ '@date-fns/tz/date/mini'));
  toZone = zones ? (time) => new zones.TZDateMini(time, timeZone) : (time) => time;
  ownZone = timeZone;
  is24Hours = timeFormat === 'system' ? hasDevice24Hours() : timeFormat === '24h';
  return session;
}

const hasDevice24Hours = (): boolean => !Intl.DateTimeFormat([], { hour: 'numeric' }).resolvedOptions().hour12;

/** Name of the time zone in which the member reads times. */
export const timeZoneHere = (): string => ownZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * By what a search is read here and now. The zone is looked up once a search names a time: a browser loads its calendar for
 * that, which takes a slow phone 80 ms.
 */
export const clockHere: Clock = {
  get now() {
    return Date.now();
  },
  get timeZone() {
    return timeZoneHere();
  },
};

/** A moment whose parts, such as day and hour, are those of the clock on the member's wall. */
export const onTheWall = (time: Date | number | string): Date => toZone(new Date(time));

/** A pattern of date-fns as the member reads it: `h:mm a` is `HH:mm` for who reads 24 hours. */
export const hoursOf = (pattern: string): string =>
  is24Hours ? pattern.replace(/h(:mm(?::ss)?)(?: a)?/, 'HH$1') : pattern;
