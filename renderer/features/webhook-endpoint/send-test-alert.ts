import { type WebhookReceipt, webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { apiSend } from '#renderer/lib/api-client.ts';

/** `POST /api/webhook/test`: answered once the alert is stored. Throws an ApiError, 503 when it could not be. */
export const sendTestAlert = (): Promise<WebhookReceipt> =>
  apiSend('POST', '/api/webhook/test', { schema: webhookReceiptSchema });
