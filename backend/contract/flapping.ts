import * as z from 'zod/mini';

/** Times at which a problem opened and closed that are kept at most, the newest. */
export const MAX_RHYTHM_TURNS = 60;

/**
 * How a problem opens and closes again and again. `turns` are the times of the last `withinMinutes`, 60 at most, the oldest
 * first; the last of them opened it where it `isOpen`, and those before it alternate.
 */
export const flappingSchema = z.object({
  /** When it began to flap. */
  since: z.iso.datetime(),
  withinMinutes: z.int(),
  isOpen: z.boolean(),
  turns: z.array(z.iso.datetime()),
});
export type Flapping = z.infer<typeof flappingSchema>;
