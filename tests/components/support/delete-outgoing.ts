import { destinationListSchema, outgoingRuleListSchema } from '#backend/contract/outgoing.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';

/**
 * Deletes the rules and destinations of a server. One that cannot be reached makes an alert for administrators some time later,
 * which the tests of another file would see.
 */
export async function deleteOutgoing({ admin }: AppServer): Promise<void> {
  const rules = await (await admin.request('GET', '/api/outgoing/rules')).json();
  const destinations = await (await admin.request('GET', '/api/outgoing/destinations')).json();
  for (const { id } of outgoingRuleListSchema.parse(rules)) await admin.request('DELETE', `/api/outgoing/rules/${id}`);
  for (const { id } of destinationListSchema.parse(destinations).destinations)
    await admin.request('DELETE', `/api/outgoing/destinations/${id}`);
}
