import * as z from 'zod/mini';

/** Bounds of the rule. More openings than the largest number do not fit into what is kept of a problem. */
export const MAX_FLAPPING_TIMES = 20;
export const MAX_FLAPPING_MINUTES = 24 * 60;

const times = z.int().check(z.minimum(1), z.maximum(MAX_FLAPPING_TIMES));
const minutes = z.int().check(z.minimum(1), z.maximum(MAX_FLAPPING_MINUTES));

/** What counts as flapping until an administrator decides otherwise. */
export const DEFAULT_FLAPPING_RULE = { isOn: true, times: 5, withinMinutes: 30 } as const;

/** How often a problem opens, and in which time in minutes, until it counts as flapping. */
const termsSchema = z.object({ times, withinMinutes: minutes });

/**
 * When problems of a source flap: as the installation's rule says, never, or by numbers of its own, which hold also while that
 * rule is off.
 */
export const sourceFlappingSchema = z.union([z.literal('installation'), z.literal('never'), termsSchema]);
export type SourceFlapping = z.infer<typeof sourceFlappingSchema>;

/** A problem that opens more than `times` times in `withinMinutes` minutes is one card, announced once, while the rule is on. */
export const flappingRuleSchema = z.object({
  isOn: z.boolean(),
  times,
  withinMinutes: minutes,
  /**
   * How many sources say something else for their own problems (`flapping` of their settings). A server of an earlier release
   * answers without it.
   */
  ownSources: z._default(z.int(), 0),
  changedBy: z.optional(z.string()),
  changedAt: z.optional(z.iso.datetime()),
});
export type FlappingRule = z.infer<typeof flappingRuleSchema>;

/** Body of `PATCH /api/flapping-rule`; absent fields stay. */
export const flappingRuleChangeSchema = z.object({
  isOn: z.optional(z.boolean()),
  times: z.optional(times),
  withinMinutes: z.optional(minutes),
});
export type FlappingRuleChange = z.infer<typeof flappingRuleChangeSchema>;
