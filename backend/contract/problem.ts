import * as z from 'zod/mini';

/**
 * A failure as `application/problem+json` (RFC 9457), for callers that ask for JSON. Everyone else gets `detail` alone
 * as plain text.
 */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
});
export type Problem = z.infer<typeof problemSchema>;
