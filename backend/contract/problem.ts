import * as z from 'zod/mini';

/** What somebody else may have changed meanwhile: a member of the problem has its name, and is what it is now. */
export const CHANGED_KINDS = [
  'alert',
  'calendar',
  'destination',
  'group',
  'heartbeat',
  'rule',
  'silencing',
  'source',
  'window',
] as const;
export type ChangedKind = (typeof CHANGED_KINDS)[number];

const presentSchemas = Object.fromEntries(CHANGED_KINDS.map((kind) => [kind, z.optional(z.unknown())])) as Record<
  ChangedKind,
  z.ZodMiniOptional<z.ZodMiniUnknown>
>;

/**
 * A failure as `application/problem+json` (RFC 9457), for callers that ask for JSON. Everyone else gets `detail` alone
 * as plain text.
 */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  /** Of a change that was decided on another version: what was to be changed, as it is now. */
  ...presentSchemas,
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
});
export type Problem = z.infer<typeof problemSchema>;

/** Error of a call that asks for a recent proof, word by word: the web app asks for the proof then. */
export const PROOF_DUE = 'Confirm your identity first.';
