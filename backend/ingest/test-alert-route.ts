import type { AppContext } from '#backend/context.ts';
import { WEBHOOK_PATH, webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { newId } from '#backend/database/ids.ts';
import { type Endpoint, accepted, endpoint } from '#backend/endpoint/endpoint.ts';
import { DEFAULT_POLICY, plainEvent } from './alert-writer.ts';
import { receiptOf } from './deliver.ts';
import { readAlert } from './read-alert.ts';

/** Who sends test alerts, in the history where an API key's name would stand. */
const SENDER = { id: 'test-alert', name: 'Test alert', secretId: null };

/**
 * `POST /api/webhook/test`: lets an administrator see that alerts arrive, without a key at hand. From the body on, the
 * alert takes the path of every other: read, written, committed, published.
 */
export function testAlertRoutes({ writer }: Pick<AppContext, 'writer'>): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/api/webhook/test',
      tag: 'alerts',
      summary: 'Sends an alert from "Test alert" into the inbox, as the webhook endpoint would.',
      access: ['admin'],
      responses: { 202: webhookReceiptSchema },
      handle: async ({ actor }) => {
        const text = JSON.stringify({
          customer: 'Test alert',
          type: 'test',
          message: 'Sent from the Webhook Endpoint page to see that alerts arrive.',
          sent_by: actor.displayName,
        });
        const results = await writer.write({
          source: SENDER,
          policy: DEFAULT_POLICY,
          sessionId: actor.sessionId,
          receivedAt: Date.now(),
          events: [plainEvent(readAlert({ text, target: WEBHOOK_PATH, headers: {} }))],
        });
        return accepted(JSON.parse(receiptOf(results, Date.now(), newId())));
      },
    }),
  ];
}
