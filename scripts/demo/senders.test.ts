import { expect, test } from 'vitest';
import { WEBHOOK_MAX_BYTES } from '#backend/contract/webhook.ts';
import { createRandom } from './random.ts';
import { SENDERS, nextRequest } from './senders.ts';

const NOW = new Date('2026-11-21T10:00:00.000Z');

const stream = (seed: number, length: number) => {
  const random = createRandom(seed);
  return Array.from({ length }, () => nextRequest(random, NOW));
};

test.for(SENDERS.map((sender) => [sender.name, sender] as const))(
  '%s sends a JSON object to the webhook',
  ([, sender]) => {
    const random = createRandom(7);
    for (let count = 0; count < 50; count += 1) {
      const { method, path, headers, body } = sender(random, NOW);
      expect([method, path, headers['content-type']]).toEqual(['POST', '/webhook', 'application/json']);
      expect(JSON.parse(body)).toBeTypeOf('object');
      expect(Buffer.byteLength(body)).toBeLessThan(WEBHOOK_MAX_BYTES / 100);
      expect(body).not.toMatch(/undefined|NaN|\[object/);
    }
  },
);

test('the same seed gives the same stream, another seed another', () => {
  expect(stream(1, 40)).toEqual(stream(1, 40));
  expect(stream(1, 40)).not.toEqual(stream(2, 40));
});

test('a stream has every sender, several customers and hardly a body twice', () => {
  const requests = stream(3, 400);
  expect(new Set(requests.map(({ sender }) => sender)).size).toBe(SENDERS.length);
  expect(new Set(requests.map(({ body }) => body)).size).toBeGreaterThan(390);
  const customers = new Set(requests.flatMap(({ body }) => /"customer":"([^"]+)"/.exec(body)?.[1] ?? []));
  expect(customers.size).toBeGreaterThan(8);
});
