import * as z from 'zod/mini';

/** Answer of `POST /webhook`, sent after the alert is committed. */
export const webhookReceiptSchema = z.object({ id: z.string(), receivedAt: z.iso.datetime() });
export type WebhookReceipt = z.infer<typeof webhookReceiptSchema>;

/** Where outside systems post alerts, below the server's origin. */
export const WEBHOOK_PATH = '/webhook';

/** Largest body in bytes and deepest nesting that `POST /webhook` takes. */
export const WEBHOOK_MAX_BYTES = 1024 * 1024;
/** The same of a sender that puts many alerts into one request, of which each may have {@link WEBHOOK_MAX_BYTES}. */
export const WEBHOOK_MAX_BATCH_BYTES = 8 * 1024 * 1024;
export const WEBHOOK_MAX_DEPTH = 64;

/** An event of PagerDuty's Events API v2: `payload` is required to trigger, `dedup_key` for the others. */
export const enqueueEventSchema = z.looseObject({
  routing_key: z.string(),
  event_action: z.enum(['trigger', 'acknowledge', 'resolve']),
  dedup_key: z.optional(z.string()),
  payload: z.optional(z.unknown()),
});

/** 202 of `POST /v2/enqueue`, as PagerDuty's Events API v2 answers. */
export const enqueueReceiptSchema = z.object({
  status: z.literal('success'),
  message: z.string(),
  dedup_key: z.string(),
});
