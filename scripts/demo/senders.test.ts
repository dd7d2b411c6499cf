import { describe, expect, test } from 'vitest';
import { WEBHOOK_MAX_BYTES } from '#backend/contract/webhook.ts';
import type { SenderEvent } from '#backend/intake/adapters/adapter.ts';
import { readDelivery } from '#backend/intake/reading/read-delivery.ts';
import { createRandom } from './random.ts';
import { PLAYS, SENDER_NAMES, type Sender, createStream } from './senders.ts';
import type { WebhookRequest } from './webhook-request.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');

/** So many requests, a minute apart. */
function stream(seed: number, length: number, only?: Sender): WebhookRequest[] {
  const next = createStream(createRandom(seed), only);
  return Array.from({ length }, (_, index) => next(new Date(NOW + index * 60_000)));
}

function read({ headers, body }: WebhookRequest) {
  const reading = readDelivery({ headers, body, contentType: headers['content-type'] ?? '', receivedAt: NOW });
  if ('error' in reading) throw reading.error;
  return reading;
}

const problemSenders = SENDER_NAMES.filter((sender) => typeof PLAYS[sender] !== 'function');
const eventSenders = SENDER_NAMES.filter((sender) => typeof PLAYS[sender] === 'function');

describe.each(SENDER_NAMES)('%s', (sender) => {
  const requests = stream(7, 120, sender);
  const readings = requests.map(read);

  test('is recognised by the product, with a title, a type and a customer', () => {
    for (const reading of readings) {
      expect(reading).toMatchObject({ sender, problem: null, handshake: null });
      expect(reading.events.length).toBeGreaterThan(0);
      // Events API v2 resolves by a key alone.
      for (const { title, customer, alertType } of reading.events) {
        if (sender === 'pagerduty-events' && title === null) continue;
        // Jenkins names its jobs, not whose they are.
        expect(sender === 'jenkins' ? [title, alertType] : [title, customer, alertType]).not.toContain(null);
        expect(`${title} ${customer} ${alertType}`).not.toMatch(/undefined|NaN|\[object/);
      }
    }
  });

  test('sends to the webhook what real senders send in size, and hardly anything twice', () => {
    for (const { method, path, body } of requests) {
      expect([method, path]).toEqual(['POST', '/webhook']);
      expect(Buffer.byteLength(body)).toBeLessThan(WEBHOOK_MAX_BYTES / 100);
      expect(body).not.toMatch(/undefined|NaN|\[object/);
    }
    const titles = new Set(readings.flatMap(({ events }) => events.map(({ title }) => title)));
    expect(titles.size).toBeGreaterThan(sender === 'sentry' ? 3 : 7);
  });
});

/** The states of each problem, in the order in which they were reported. */
function livesOf(sender: Sender): SenderEvent['state'][][] {
  const lives = new Map<string, SenderEvent['state'][]>();
  const ended: SenderEvent['state'][][] = [];
  for (const event of stream(11, 300, sender).flatMap((request) => read(request).events)) {
    expect(event.dedupKey).not.toBeNull();
    const key = event.dedupKey ?? '';
    const life = [...(lives.get(key) ?? []), event.state];
    if (event.state === 'resolved') {
      lives.delete(key);
      ended.push(life);
    } else lives.set(key, life);
  }
  return ended;
}

test.each(problemSenders)('problems of %s begin, repeat and end under one key', (sender) => {
  const lives = livesOf(sender);
  expect(lives.length).toBeGreaterThan(20);
  // A member of a group may be resolved, and the group after it again.
  const whole = lives.filter((life) => life.length > 1);
  expect(whole.length).toBeGreaterThan(lives.length / 2);
  for (const life of whole) expect(life[0]).toBe('firing');
  expect(whole.some((life) => life.filter((state) => state === 'firing').length > 2)).toBe(true);
});

test('PagerDuty, the Events API, Opsgenie and New Relic report who takes care', () => {
  const acknowledging = problemSenders.filter((sender) => livesOf(sender).flat().includes('acknowledged'));
  expect(acknowledging).toEqual(['new-relic', 'opsgenie', 'pagerduty', 'pagerduty-events']);
});

test.each(eventSenders)('what %s reports has no end', (sender) => {
  const states = new Set(stream(11, 60, sender).flatMap((request) => read(request).events.map(({ state }) => state)));
  expect([...states]).toEqual(['event']);
});

test('severities of all kinds come from the senders that know one', () => {
  const severities = new Set(stream(3, 800).flatMap((request) => read(request).events.map(({ severity }) => severity)));
  expect(severities).toEqual(new Set(['critical', 'high', 'warning', 'low', 'info', 'none']));
});

test('CloudEvents come in each of their modes', () => {
  const modes = new Set(
    stream(5, 60, 'cloudevents').map(({ headers }) => headers['ce-specversion'] ?? headers['content-type']),
  );
  expect(modes).toEqual(new Set(['1.0', 'application/cloudevents+json', 'application/cloudevents-batch+json']));
});

test('the same seed gives the same stream, another seed another', () => {
  expect(stream(1, 80)).toEqual(stream(1, 80));
  expect(stream(1, 80)).not.toEqual(stream(2, 80));
});

test('a stream has every sender, and many customers', () => {
  const requests = stream(3, 600);
  expect(new Set(requests.map(({ sender }) => sender))).toEqual(new Set(SENDER_NAMES));
  const customers = new Set(requests.flatMap((request) => read(request).events.map(({ customer }) => customer)));
  expect(customers.size).toBeGreaterThan(30);
});
