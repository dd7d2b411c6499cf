import * as z from 'zod/mini';
import { senderSchema } from './sender.ts';

// By itself, because live events carry it: every page reads it, and few read the rest of a source.

/** How a source is doing. */
export const sourceHealthSchema = z.object({
  state: z.enum(['ok', 'refusing', 'silent', 'never-used', 'paused']),
  /** One sentence for the operator; null where there is nothing to say. */
  reason: z.nullable(z.string()),
  /** Since when it is so, where that is known. */
  since: z.nullable(z.iso.datetime()),
});
export type SourceHealth = z.infer<typeof sourceHealthSchema>;

/** How a source stands: what changes with its deliveries, and not by an administrator. */
export const sourceStandingSchema = z.object({
  lastUsedAt: z.nullable(z.iso.datetime()),
  /** The sender that its last delivery was recognised as; null before the first. */
  recognisedAs: z.nullable(senderSchema),
  health: sourceHealthSchema,
  lastDeliveryAt: z.nullable(z.iso.datetime()),
  refusedToday: z.int(),
  /** The usual time between two deliveries in milliseconds: the 95th percentile of seven days; null while unknown. */
  usualGapMs: z.nullable(z.number()),
  /** What its delivery log holds. */
  log: z.object({ deliveries: z.int(), bytes: z.int() }),
});

/** How a source stands, as live events carry it; the rest is fetched. */
export const sourceCountsSchema = z.extend(sourceStandingSchema, {
  /** The last 24 hours, oldest first: of each how many deliveries, and how many of them were refused. */
  hours: z.array(z.array(z.int())),
});
export type SourceCounts = z.infer<typeof sourceCountsSchema>;

/** The sources that need attention, by their ids: what most pages of administrators show of all sources. */
export const sourcesInTroubleSchema = z.object({ refusing: z.array(z.string()), silent: z.array(z.string()) });
export type SourcesInTrouble = z.infer<typeof sourcesInTroubleSchema>;
