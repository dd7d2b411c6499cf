import * as z from 'zod/mini';
import { liveEventSchema } from './live-event.ts';

/** From which place changes are asked for; absent: only the present place is returned. */
export const changesQuerySchema = z.object({ since: z.optional(z.string().check(z.maxLength(6_000))) });

/** What a caller has missed. */
export const changesSchema = z.object({
  /** Who knows these events knows everything up to here; opaque. */
  place: z.string(),
  /** False when too much has changed, or too long ago, or nobody knows: then everything is to be read again. */
  isComplete: z.boolean(),
  /**
   * As live events bring them, at most one for each alert: `alert_updated` with the alert as it is now, and the reason
   * `arrived` where it has come since, is in the inbox and may notify, `alert_accepted` where
   * it is a colleague's, whose alerts the caller does not see, `alert_deleted`.
   */
  events: z.array(liveEventSchema),
});
export type Changes = z.infer<typeof changesSchema>;

/** Whether nothing is known to have changed between two places: they differ in nothing but when they were made. */
export const isSamePlace = (one: string, other: string): boolean => withoutTime(one) === withoutTime(other);

const withoutTime = (place: string): string => place.replace(/^\d+/, '');
