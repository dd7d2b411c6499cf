import { readFileSync, readdirSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { alertSeveritySchema, alertStateSchema } from '#backend/contract/alert.ts';
import { type Sender, senderSchema } from '#backend/contract/sender.ts';
import { MAX_KEY_LENGTH, MAX_TITLE_LENGTH } from '#backend/intake/reading/bounded-text.ts';
import { MAX_EVENTS } from '#backend/intake/adapters/adapter.ts';
import { readDelivery } from '#backend/intake/reading/read-delivery.ts';
import { createLimit } from './limits.ts';
import { wildBody, wildJson, wildText } from './wild.ts';

const FOLDER = new URL('../../backend/intake/reading/samples/', import.meta.url);

const SAMPLES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => {
    const { headers, body, rawBody } = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
    return { headers: headers as Record<string, string>, body: (rawBody as string) ?? JSON.stringify(body) };
  });

/** Requests as senders make them, of which some values were exchanged for anything else. */
const changedSample = fc
  .tuple(fc.constantFrom(...SAMPLES), fc.array(fc.tuple(fc.nat(), wildJson), { minLength: 1, maxLength: 3 }))
  .map(([{ headers, body }, changes]) => ({
    headers,
    body: changes.reduce((text, [at, value]) => {
      const places = [...text.matchAll(/(?<=":\s*)("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/g)];
      const place = places[at % Math.max(1, places.length)];
      return place ? text.slice(0, place.index) + value + text.slice(place.index + place[0].length) : text;
    }, body),
  }));

const anyRequest = fc.record({
  headers: fc.dictionary(
    fc.constantFrom(
      'x-github-event',
      'x-gitlab-event',
      'sentry-hook-resource',
      'x-amz-sns-message-type',
      'x-shopify-topic',
      'stripe-signature',
      'ce-specversion',
      'ce-source',
      'aeg-event-type',
      'webhook-id',
      '__proto__',
    ),
    wildText,
  ),
  body: wildBody.map((bytes) => bytes.toString()),
});

const contentType = fc.constantFrom(
  'application/json',
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/x-ndjson',
  'application/cloudevents-batch+json',
  ';',
);

const adapter = fc.oneof(
  { weight: 2, arbitrary: fc.constant('auto' as const) },
  { weight: 1, arbitrary: fc.constantFrom<Sender>(...senderSchema.options) },
);

const path = fc.constantFrom('title', '$..*', 'a[', '=x', '[0]', 'alerts[0].labels', '$[?@.a]', "$['__proto__']", '');

const mapping = fc.oneof(fc.constant({}), fc.record({ title: path, dedupKey: path, severity: path, link: path }));

test('whatever is sent to whichever adapter, alerts come out that the database takes', () => {
  const limit = createLimit(1, 3_000);
  fc.assert(
    fc.property(fc.oneof(changedSample, anyRequest), contentType, adapter, mapping, (request, type, setting, paths) => {
      if (limit.isOver()) return;
      const mediaType = request.headers['content-type'] ?? type;
      const reading = readDelivery(
        { ...request, contentType: mediaType, receivedAt: 0 },
        { adapter: setting, mapping: paths },
      );
      const status = 'error' in reading ? reading.error.status : 202;
      expect([202, 400, 422]).toContain(status);
      if ('error' in reading) return;
      expect(reading.problem ?? '').not.toMatch(/failed/);
      expect(reading.events.length > 0 || reading.handshake !== null || reading.ignored !== null).toBe(true);
      expect(reading.events.length).toBeLessThanOrEqual(MAX_EVENTS);
      for (const event of reading.events) {
        expect(alertSeveritySchema.options).toContain(event.severity);
        expect(alertStateSchema.options).toContain(event.state);
        expect([...(event.title ?? '')].length).toBeLessThanOrEqual(MAX_TITLE_LENGTH);
        // oxlint-disable-next-line no-control-regex
        expect(event.title ?? '').not.toMatch(/[\u0000-\u001f\u2028\u2029]/);
        for (const key of [event.dedupKey, event.deliveryId, event.groupKey]) {
          expect(key?.length ?? 0).toBeLessThanOrEqual(MAX_KEY_LENGTH);
        }
        for (const name of [event.customer, event.alertType]) expect([...(name ?? '')].length).toBeLessThanOrEqual(200);
        expect(event.link ?? 'https://').toMatch(/^https?:\/\//i);
        for (const text of [event.title, event.customer, event.alertType, event.dedupKey, event.link]) {
          expect(text?.isWellFormed() ?? true).toBe(true);
        }
        expect(JSON.parse(event.payload)).toBeTypeOf('object');
        expect(JSON.parse(event.shared)).toBeTypeOf('object');
      }
    }),
    limit.parameters,
  );
});

test('of a number no digit is lost, whatever field it is', () => {
  const limit = createLimit(0.2, 300);
  const digits = fc.bigInt({ min: 10n ** 15n, max: 10n ** 40n }).map(String);
  fc.assert(
    fc.property(digits, (number) => {
      if (limit.isOver()) return;
      const body = `{"customer":${number},"type":${number},"dedup_key":${number},"title":${number},"x":[${number}]}`;
      const reading = readDelivery(
        { headers: {}, body, contentType: 'application/json', receivedAt: 0 },
        { adapter: 'auto', mapping: { link: 'x[0]', alertType: '$.x[*]' } },
      );
      const { events } = reading as Extract<typeof reading, { events: unknown }>;
      expect(events[0]).toMatchObject({
        customer: number,
        alertType: number,
        dedupKey: number,
        title: number,
        payload: body,
      });
    }),
    limit.parameters,
  );
});
