import { z } from 'zod';

/** Which builds are offered. */
export const updateChannelSchema = z.enum(['stable', 'beta']);
export type UpdateChannel = z.infer<typeof updateChannelSchema>;

/** Desktop update status; `idle` until the first check, and where updates are not available. */
export const updateStateSchema = z.object({
  status: z.enum(['idle', 'checking', 'available', 'not-available', 'downloading', 'downloaded', 'error']),
  /** The version that is offered. */
  version: z.string().nullable(),
  /** How much is downloaded, 0 to 100. */
  percent: z.number().min(0).max(100).nullable(),
  /** What went wrong, in plain words. */
  error: z.string().nullable(),
  channel: updateChannelSchema,
});
export type UpdateState = z.infer<typeof updateStateSchema>;
