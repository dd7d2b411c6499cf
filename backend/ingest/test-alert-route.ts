import { WEBHOOK_PATH, webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { type Endpoint, accepted, endpoint } from '#backend/endpoint/endpoint.ts';
import type { AlertWriter } from './alert-writer.ts';
import { readAlert } from './read-alert.ts';

/** Who sends test alerts, in the history where an API key's name would stand. */
const SENDER = { id: 'test-alert', name: 'Test alert' };

/**
 * `POST /api/webhook/test`: lets an administrator see that alerts arrive, without a key at hand. From the body on, the
 * alert goes the way of every other: read, written, committed, told.
 */
export function testAlertRoutes({ writer, now = Date.now }: { writer: AlertWriter; now?: () => number }): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/api/webhook/test',
      tag: 'alerts',
      summary: 'Sends an alert from "Test alert" into the inbox, as the webhook endpoint would.',
      who: ['admin'],
      responses: { 202: webhookReceiptSchema },
      handle: async ({ actor }) => {
        const text = JSON.stringify({
          customer: 'Test alert',
          type: 'test',
          message: 'Sent from the Webhook Endpoint page to see that alerts arrive.',
          sent_by: actor.displayName,
        });
        const { id, receivedAt } = await writer.write({
          ...readAlert({ text, target: WEBHOOK_PATH, headers: {} }),
          apiKey: SENDER,
          sessionId: actor.sessionId,
          receivedAt: now(),
          delivery: undefined,
        });
        return accepted({ id, receivedAt: new Date(receivedAt).toISOString() });
      },
    }),
  ];
}
