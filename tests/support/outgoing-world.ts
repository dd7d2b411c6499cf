import { expect } from 'vitest';
import {
  type DestinationChange,
  type NewDestination,
  type NewOutgoingRule,
  destinationListSchema,
  destinationSchema,
  destinationWithSecretSchema,
  outgoingRuleSchema,
} from '#backend/contract/outgoing.ts';
import { outgoingMessageListSchema, receiptListSchema } from '#backend/contract/outgoing-receipt.ts';
import type { TestClient } from './test-client.ts';

/** Lets destinations of tests be on this machine. */
export const LOCAL_NETWORK = { OUTGOING_NETWORKS: '127.0.0.0/8' };

/** The body of an answer with this status; undefined of none. */
export async function json(response: Promise<Response>, status = 200): Promise<unknown> {
  const answer = await response;
  const text = await answer.text();
  expect([answer.status, text]).toEqual([status, expect.anything()]);
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

/** What an administrator does with destinations and rules, each as one call that succeeds. */
export function outgoingWorld(admin: () => TestClient) {
  return {
    async addDestination(input: NewDestination) {
      const answer = await json(admin().send('POST', '/api/outgoing/destinations', input), 201);
      return destinationWithSecretSchema.parse(answer);
    },
    async addRule(destinationIds: string[], rule: Partial<NewOutgoingRule> = {}) {
      const body = { name: `Rule ${crypto.randomUUID()}`, search: '', events: ['new'], destinationIds, ...rule };
      return outgoingRuleSchema.parse(await json(admin().send('POST', '/api/outgoing/rules', body), 201));
    },
    async changeDestination(id: string, change: DestinationChange) {
      return destinationSchema.parse(await json(admin().send('PATCH', `/api/outgoing/destinations/${id}`, change)));
    },
    async destinations() {
      return destinationListSchema.parse(await json(admin().get('/api/outgoing/destinations'))).destinations;
    },
    async destination(id: string) {
      return destinationSchema.parse(await json(admin().get(`/api/outgoing/destinations/${id}`)));
    },
    async receipts(alertId: string) {
      return receiptListSchema.parse(await json(admin().get(`/api/alerts/${alertId}/receipts`)));
    },
    async messages(query = '') {
      return outgoingMessageListSchema.parse(await json(admin().get(`/api/outgoing/messages${query}`)));
    },
  };
}
