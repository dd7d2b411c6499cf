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
  /** Of a change that was decided on another version: the alert as it is now. */
  alert: z.optional(z.unknown()),
  /** The same of a source. */
  source: z.optional(z.unknown()),
  /** The same of silencing at the sender of a source. */
  silencing: z.optional(z.unknown()),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
});
export type Problem = z.infer<typeof problemSchema>;

/** Error of a call that asks for a recent proof, word by word: the web app asks for the proof then. */
export const PROOF_DUE = 'Confirm your identity first.';
