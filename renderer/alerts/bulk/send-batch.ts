import { type BulkChange, type BulkResult, bulkResultSchema } from '#backend/contract/bulk.ts';
import { apiSend } from '#renderer/lib/api-client.ts';

/** Changes one batch of alerts. `keepalive` lets the call outlive the page. Throws an ApiError. */
export const sendBatch = (body: BulkChange, keepalive = false): Promise<BulkResult> =>
  apiSend('POST', '/api/alerts/bulk', { body, schema: bulkResultSchema, keepalive });
