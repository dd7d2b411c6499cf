import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { z } from 'zod';
import { WEBHOOK_MAX_BYTES, WEBHOOK_MAX_DEPTH, webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { refusalResponses } from './refusals.ts';

const KEY = z.string().min(1).max(255).optional();

/** `POST /webhook`, which is declared outside the endpoints (docs/decisions/0002-endpoints-as-data.md). */
export const webhookOperation: ZodOpenApiOperationObject = {
  operationId: 'postWebhook',
  tags: ['webhook'],
  summary: 'Takes an alert from an outside system.',
  description: `Any JSON up to ${WEBHOOK_MAX_BYTES.toLocaleString('en')} bytes and ${WEBHOOK_MAX_DEPTH} levels deep; what is not an object is kept as \`{"value": …}\`.
The query and CloudEvents \`ce-*\` headers are kept as the alert's extra data. The answer comes after the alert is stored.

On 429 and 503 send it again, after the seconds in \`Retry-After\`.`,
  security: [{ webhookKey: [] }, { webhookBearer: [] }],
  requestParams: {
    header: z.object({
      'Idempotency-Key': KEY.meta({
        description:
          'Names this delivery: the same again within 24 hours answers the first alert’s id and stores nothing; with another body it is refused with 409.',
      }),
      'webhook-id': KEY.meta({ description: 'The same, as Standard Webhooks name it.' }),
    }),
  },
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: z.unknown().meta({ description: 'Any JSON.' }),
        example: { customer: 'Harbor & Finch', type: 'order.payment_failed', order_no: 'HF-204918' },
      },
    },
  },
  responses: {
    202: {
      description: 'Stored.',
      content: { 'application/json': { schema: webhookReceiptSchema } },
    },
    ...refusalResponses([400, 401, 409, 413, 415, 422, 429, 503]),
  },
};
