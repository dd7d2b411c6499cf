import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { senderSchema } from '#backend/contract/sender.ts';
import type { ReadDelivery, SenderEvent } from '#backend/intake/adapters/adapter.ts';
import { claims, recognise } from './recognise.ts';
import { decodeBody } from './decode-body.ts';
import { readDelivery } from './read-delivery.ts';
import { ProblemError } from '#backend/platform/endpoint/errors.ts';

const FOLDER = new URL('samples/', import.meta.url);

const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));

/** A sample, its request, and what people read off it by each sender's own description. */
function load(name: string) {
  const sample = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'));
  const headers: Record<string, string> = sample.headers;
  const request = {
    headers,
    body: (sample.rawBody as string | undefined) ?? JSON.stringify(sample.body),
    contentType: headers['content-type'] ?? '',
    receivedAt: 0,
  };
  return {
    sender: sample.sender,
    expected: sample.expected,
    handshake: sample.handshake,
    ignored: sample.ignored,
    request,
  };
}

function read(name: string): ReadDelivery {
  const reading = readDelivery(load(name).request);
  if ('error' in reading) throw reading.error;
  return reading;
}

/** An event as a sample's `expected` writes it: what is missing there was not found. */
const brief = ({ title, customer, alertType, severity, state, dedupKey, link, deliveryId, at }: SenderEvent) => ({
  ...(title !== null && { title }),
  ...(customer !== null && { customer }),
  ...(alertType !== null && { type: alertType }),
  ...(severity !== 'none' && { severity }),
  state,
  ...(dedupKey !== null && { key: dedupKey }),
  ...(link !== null && { link }),
  ...(deliveryId !== null && { id: deliveryId }),
  ...(at !== null && { at: new Date(at).toISOString() }),
});

test.each(NAMES)('%s is read as expected', (name) => {
  const { sender, expected, handshake, ignored = null } = load(name);
  const reading = read(name);
  expect(reading).toMatchObject({ sender, ignored, problem: null });
  expect(reading.events.map(brief)).toEqual(expected);
  const answer = reading.handshake && { kind: reading.handshake.kind, body: reading.handshake.answer.body };
  expect(answer).toEqual(handshake ?? null);
});

test.each(NAMES)('half a character in any value of %s is read', (name) => {
  const { request } = load(name);
  for (const { index, 0: value } of request.body.matchAll(/(?<=":\s*)"(?:[^"\\]|\\.)*"/g)) {
    const body = `${request.body.slice(0, index)}"\\ud800"${request.body.slice(index + value.length)}`;
    const reading = readDelivery({ ...request, body });
    const failure = 'error' in reading ? `${reading.error.status}` : (reading.problem ?? '');
    expect({ body, failure }).toEqual({ body, failure: expect.not.stringMatching(/failed|^(?!422)\d/) });
  }
});

test('there is a sample of every sender', () => {
  expect(new Set(NAMES.map((name) => load(name).sender))).toEqual(new Set(senderSchema.options));
});

test.each(NAMES)('%s is claimed by one sender only, but for Grafana’s shape', (name) => {
  const { headers, body, contentType } = load(name).request;
  const decoded = decodeBody(body, contentType);
  if (decoded instanceof ProblemError) throw decoded;
  const claimants = new Set([...claims({ headers, ...decoded }, contentType)].map(({ sender }) => sender));
  if (claimants.has('grafana')) claimants.delete('alertmanager');
  const { sender } = recognise({ headers, ...decoded }, contentType);
  expect([...claimants]).toEqual(sender === 'generic' ? [] : [sender]);
});

test.each(NAMES)('every field of %s that was found names where it comes from', (name) => {
  for (const event of read(name).events) {
    for (const { field, value, path, note } of event.origins) {
      expect(`${path}${note ?? ''}`).not.toBe('');
      if (field === 'at') continue;
      expect(String(event[field as keyof SenderEvent])).toBe(value);
    }
  }
});

describe('the payload', () => {
  test('of a split alert is its own element; what the alerts share stands beside it', () => {
    const [event] = read('alertmanager-firing').events;
    expect(JSON.parse(event!.payload)).toMatchObject({ labels: { instance: 'db-7' }, fingerprint: '3f2a9c51d0e84b77' });
    expect(JSON.parse(event!.shared)).toEqual({
      receiver: 'desk',
      status: 'firing',
      groupLabels: { alertname: 'DiskFull', cluster: 'eu-1' },
      commonLabels: { alertname: 'DiskFull', cluster: 'eu-1', severity: 'critical' },
      commonAnnotations: {},
      externalURL: 'http://alertmanager.example:9093',
      version: '4',
      groupKey: '{}:{alertname="DiskFull", cluster="eu-1"}',
      truncatedAlerts: 0,
    });
    expect(event).toMatchObject({
      element: 'alerts[0]',
      groupKey: '{}:{alertname="DiskFull", cluster="eu-1"}',
      groupTitle: 'alertname=DiskFull, cluster=eu-1',
    });
  });

  test('keeps every digit of a number', () => {
    expect(read('shopify-order').events[0]!.payload).toContain('"id":820982911946154508,');
    expect(read('alertmanager-v3').events[0]!.groupKey).toBe('9223372036854775807');
  });

  test('of SNS is the message; the envelope is shared', () => {
    const [event] = read('sns-cloudwatch-alarm').events;
    expect(JSON.parse(event!.payload)).toMatchObject({ AlarmName: 'db-7 CPU', NewStateValue: 'ALARM' });
    expect(Object.keys(JSON.parse(event!.shared))).toEqual(['Type', 'MessageId', 'TopicArn', 'Subject', 'Timestamp']);
    expect(JSON.parse(read('sns-text').events[0]!.payload)).toEqual({ value: 'The nightly backup took 3 h' });
  });

  test('holds no secret but its last four characters', () => {
    const [paged] = read('pagerduty-events-trigger').events;
    expect(JSON.parse(paged!.payload)).toMatchObject({ routing_key: '••••••••cdef', dedup_key: 'db-7/replication' });
    const [down] = read('statuscake-down').events;
    expect(JSON.parse(down!.payload)).toMatchObject({ Token: '••••••••cdef', Name: 'Webshop' });
    const [slow] = read('honeycomb-triggered').events;
    expect(JSON.parse(slow!.payload)).toMatchObject({ shared_secret: '••••••••1234', name: 'Slow checkout' });
    const [said] = read('slack-outgoing').events;
    expect(JSON.parse(said!.payload)).toMatchObject({ token: '••••••••abcd', team_domain: 'nordwind' });
  });
});

test('where a field comes from is a path in the body, with what was looked at before', () => {
  const [event] = read('alertmanager-v3').events;
  expect(event!.origins).toContainEqual({
    field: 'title',
    value: 'web-1 does not answer',
    path: 'alerts[0].annotations.description',
    note: 'annotations.summary: empty or missing',
  });
  expect(event!.origins.find(({ field }) => field === 'dedupKey')).toMatchObject({
    path: 'alerts[0].labels',
    note: 'hash of the sorted labels',
  });
});

test('a subscription of SNS asks for its own address to be requested', () => {
  expect(read('sns-subscription').handshake?.confirmUrl).toMatch(
    /^https:\/\/sns\.eu-west-1\.amazonaws\.com\/\?Action=ConfirmSubscription/,
  );
});

test('a try of the connection is known as one', () => {
  expect(read('uptime-kuma-test').facts.isTest).toBe(true);
  expect(read('uptime-kuma-down').facts.isTest).toBe(false);
});
