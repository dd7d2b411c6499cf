import * as z from 'zod/mini';

/** Answer of `POST /webhook`, sent after the alert is committed. */
export const webhookReceiptSchema = z.object({ id: z.string(), receivedAt: z.iso.datetime() });
export type WebhookReceipt = z.infer<typeof webhookReceiptSchema>;

/** Where outside systems post alerts, below the server's origin. */
export const WEBHOOK_PATH = '/webhook';

/** Largest body in bytes and deepest nesting that `POST /webhook` takes. */
export const WEBHOOK_MAX_BYTES = 1024 * 1024;
export const WEBHOOK_MAX_DEPTH = 64;
