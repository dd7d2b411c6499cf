import * as z from 'zod/mini';

/**
 * What a page may send over its live connection: its member has this alert open in front of them, or none any more (null).
 * There is no answer; who else may see the alert gets `looking_changed`.
 */
export const liveLookingSchema = z.object({
  type: z.literal('looking'),
  alertId: z.nullable(z.string().check(z.maxLength(64))),
});
export type LiveLooking = z.infer<typeof liveLookingSchema>;
