import { DEFAULT_SOURCE_SETTINGS } from '#backend/contract/source.ts';
import { WEBHOOK_PATH, webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { type Endpoint, accepted, endpoint } from '#backend/platform/endpoint/endpoint.ts';
import { BUILT_IN_SOURCE } from '#backend/intake/write/incoming-delivery.ts';
import { type DeliverDeps, deliver, receiptOf } from './deliver.ts';

/** Who sends test alerts, where the name of a source would stand. */
const SENDER = {
  id: BUILT_IN_SOURCE,
  name: 'Test alert',
  settings: { ...DEFAULT_SOURCE_SETTINGS, adapter: 'generic' },
  pausedAt: null,
} as const;

/**
 * `POST /api/webhook/test`: lets an administrator see that alerts arrive, without a key at hand. From the body on, the
 * alert takes the path of every other: read, written, committed, published. It is marked as a test.
 */
export function testAlertRoutes(deps: DeliverDeps): Endpoint[] {
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
        const receivedAt = Date.now();
        const { results } = await deliver(deps, {
          source: SENDER,
          secretId: null,
          sessionId: actor.sessionId,
          headers: {},
          text,
          target: WEBHOOK_PATH,
          receivedAt,
          isTest: true,
        });
        return accepted(JSON.parse(receiptOf(results, receivedAt, newId())));
      },
    }),
  ];
}
