import { timeZoneHere } from './clock.ts';

/** Every time zone that can be chosen: those that the browser lists, UTC, which most leave out, the member's own, and the one that is set. */
export const zonesWith = (chosen: string): string[] =>
  [...new Set([chosen, timeZoneHere(), 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort();
