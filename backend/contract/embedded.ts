import * as z from 'zod/mini';

/** What the desktop app's embedded server reports to the process that started it. */
export const embeddedReportSchema = z.discriminatedUnion('type', [
  /** It brings an older database up to date, and listens when all steps are done. */
  z.object({ type: z.literal('updating'), done: z.int(), total: z.int() }),
  /** It listens; `url` as the window opens it, at `path` while the first sign-in is to come. */
  z.object({ type: z.literal('listening'), url: z.url(), path: z.optional(z.string()) }),
  /** It could not start, with a sentence that says why. */
  z.object({ type: z.literal('failed'), isPortTaken: z.boolean(), message: z.string() }),
]);
export type EmbeddedReport = z.infer<typeof embeddedReportSchema>;

/** What that process sends to the embedded server. */
export const embeddedOrderSchema = z.object({ type: z.literal('stop') });
export type EmbeddedOrder = z.infer<typeof embeddedOrderSchema>;
