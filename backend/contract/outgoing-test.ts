import * as z from 'zod/mini';

/** What became of a test: delivered, or why not, in one sentence; `answer` is what the receiver said. */
export const outgoingTestResultSchema = z.object({
  isDelivered: z.boolean(),
  durationMs: z.int().check(z.nonnegative()),
  message: z.string(),
  answer: z.optional(z.string()),
});
export type OutgoingTestResult = z.infer<typeof outgoingTestResultSchema>;
