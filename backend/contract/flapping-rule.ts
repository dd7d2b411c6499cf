import * as z from 'zod/mini';

/** Bounds of the rule. More openings than the largest number do not fit into what is kept of a problem. */
export const MAX_FLAPPING_TIMES = 20;
export const MAX_FLAPPING_MINUTES = 24 * 60;

const times = z.int().check(z.minimum(1), z.maximum(MAX_FLAPPING_TIMES));
const minutes = z.int().check(z.minimum(1), z.maximum(MAX_FLAPPING_MINUTES));

/** What counts as flapping until an administrator decides otherwise. */
export const DEFAULT_FLAPPING_RULE = { isOn: true, times: 5, withinMinutes: 30 } as const;

/** A problem that opens more than `times` times in `withinMinutes` minutes is one card, announced once, while the rule is on. */
export const flappingRuleSchema = z.object({
  isOn: z.boolean(),
  times,
  withinMinutes: minutes,
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
