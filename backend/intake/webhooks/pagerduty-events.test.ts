import { expect, test } from 'vitest';
import { readPostedEvent } from './pagerduty-events.ts';

const PAYLOAD = { summary: 'Disk full', source: 'db-7', severity: 'critical' };
const TRIGGER = { routing_key: 'key', event_action: 'trigger', dedup_key: 'disk', payload: PAYLOAD };

const read = (body: unknown, headers = {}) => readPostedEvent(JSON.stringify(body), headers);

test('an event that is right is taken as it was sent', () => {
  const text = JSON.stringify(TRIGGER);
  expect(readPostedEvent(text, {})).toEqual({ routingKey: 'key', dedupKey: 'disk', text, errors: [] });
});

test.each(['acknowledge', 'resolve'])('to %s takes a key alone, which must be there', (action) => {
  expect(read({ event_action: action, dedup_key: 'disk' })).toMatchObject({ dedupKey: 'disk', errors: [] });
  for (const key of [undefined, null, ''])
    expect(read({ event_action: action, dedup_key: key }).errors).toEqual(["'dedup_key' is missing or blank"]);
});

test.each([undefined, null, ''])('a trigger with the key %j gets one, which its text names', (key) => {
  const { dedupKey, text, errors } = read({ ...TRIGGER, dedup_key: key });
  expect(errors).toEqual([]);
  expect(dedupKey).toMatch(/^[\da-f-]{36}$/);
  expect(JSON.parse(text)).toEqual({ ...TRIGGER, dedup_key: dedupKey });
});

const keyOf = (deliveryId: string | undefined, summary = 'Disk full') =>
  read(
    { ...TRIGGER, dedup_key: undefined, payload: { ...PAYLOAD, summary } },
    deliveryId === undefined ? {} : { 'idempotency-key': deliveryId },
  ).dedupKey;

test('a trigger without a key has the same one when its delivery comes again, and in no other', () => {
  expect(keyOf('one')).toBe(keyOf('one'));
  const keys = [keyOf('one'), keyOf('other'), keyOf('one', 'Disk is fine'), keyOf(undefined), keyOf(undefined)];
  expect(new Set(keys).size).toBe(5);
});

const SEVERITY = "'payload.severity' is invalid (must be one of the following: critical, error, warning, info)";

test.each([
  [
    { event_action: 'open' },
    ["'event_action' must be one of trigger, acknowledge, resolve", "'dedup_key' is missing or blank"],
  ],
  [{ ...TRIGGER, dedup_key: 7 }, ["'dedup_key' is not a string"]],
  [{ ...TRIGGER, payload: undefined }, ["'payload' is missing or blank"]],
  [{ ...TRIGGER, payload: null }, ["'payload' is missing or blank"]],
  [{ ...TRIGGER, payload: [] }, ["'payload' is missing or blank"]],
  [{ ...TRIGGER, payload: { ...PAYLOAD, summary: '' } }, ["'payload.summary' is missing or blank"]],
  [{ ...TRIGGER, payload: { ...PAYLOAD, source: 7 } }, ["'payload.source' is missing or blank"]],
  [{ ...TRIGGER, payload: { ...PAYLOAD, severity: undefined } }, ["'payload.severity' is missing or blank"]],
  [{ ...TRIGGER, payload: { ...PAYLOAD, severity: null } }, ["'payload.severity' is missing or blank"]],
  [{ ...TRIGGER, payload: { ...PAYLOAD, severity: '' } }, ["'payload.severity' is missing or blank"]],
  [{ ...TRIGGER, payload: { ...PAYLOAD, severity: 'bad' } }, [SEVERITY]],
])('%j is refused in words', (body, errors) => {
  const sent = JSON.stringify(body);
  const event = readPostedEvent(sent, {});
  expect(event.errors).toEqual(errors);
  expect(event.text).toBe(sent);
});

test.each([
  ['{', 'Invalid JSON'],
  ['[]', 'Event is not an object'],
  ['null', 'Event is not an object'],
])('%s is no event', (text, error) => {
  expect(readPostedEvent(text, {})).toEqual({ routingKey: undefined, dedupKey: '', text, errors: [error] });
});

test('a key that is no text is none', () => {
  expect(read({ ...TRIGGER, routing_key: 7 }).routingKey).toBeUndefined();
});
