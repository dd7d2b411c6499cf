import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { createLimit } from './limits.ts';
import { MAX_HEAD } from './request-arbitrary.ts';
import { sendRaw } from './send-raw.ts';
import { percentEncoded, wildBody, wildHeaders, wildJson, wildSegment, wildText } from './wild.ts';

const server = await startTestServer();
afterAll(() => server.destroy());
const apiKey = await server.addApiKey();
const member = await server.signedIn();

/** Fields that mean something to the reader of alerts, with anything in them; and others. */
const body = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.oneof(
            fc.constantFrom('customer', 'Customer', 'customerName', 'type', 'ALERT_TYPE', 'url', 'link', 'extraData'),
            fc.constantFrom('__proto__', 'constructor', 'payload', 'id', 'ownerId', 'status'),
            wildText,
          ),
          fc.oneof(wildJson, fc.constant('"https://example.com/a"'), fc.constant('{"name":"Nordwind","__proto__":1}')),
        ),
        { maxLength: 6 },
      )
      .map((fields) => `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`)
      .map((text) => Buffer.from(text)),
  },
  { weight: 1, arbitrary: wildBody },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.tuple(wildText, wildJson), { minLength: 1, maxLength: 4 })
      .map((fields) => fields.map(([name, value]) => `{${JSON.stringify(name)}:${value}}`))
      .map((objects) => Buffer.from(`[${objects.join(', ')}]`)),
  },
);

const query = fc
  .array(
    fc.tuple(
      fc.oneof(fc.constantFrom('a', 'a', '__proto__', 'customer'), wildSegment),
      fc.oneof(wildSegment, wildText.map(percentEncoded)),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));

/** What the senders' key is given as; most of them rightly. */
const key = fc.oneof(
  { weight: 6, arbitrary: fc.constant<[string, string]>(['X-Webhook-Auth', apiKey]) },
  { weight: 2, arbitrary: fc.constant<[string, string]>(['Authorization', `bearer ${apiKey}`]) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<[string, string]>(
      ['X-Webhook-Auth', ''],
      ['X-Webhook-Auth', `${apiKey}, ${apiKey}`],
      ['X-Webhook-Auth', 'ad_'],
      ['Authorization', 'Bearer'],
      ['Authorization', 'Basic Og=='],
    ),
  },
);

const alertSchema = z.object({ occurrences: z.number(), payload: z.unknown() });

/** The objects of a body that is a list of objects, each of which is an alert; `undefined` for any other body. */
function listedObjects(sent: Buffer): unknown[] | undefined {
  try {
    const list = z.array(z.unknown()).min(1).parse(JSON.parse(sent.toString()));
    return list.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item)) ? list : undefined;
  } catch {
    return undefined;
  }
}

test('whatever is posted, it is stored exactly or refused politely, and the inbox can be read', async () => {
  const limit = createLimit(1, 400);
  const request = fc
    .record({ key, query, headers: wildHeaders, body })
    .filter((one) => one.query.length + one.headers.flat().join('').length < MAX_HEAD);
  await fc.assert(
    fc.asyncProperty(request, async (one) => {
      if (limit.isOver()) return;
      const answer = await sendRaw(server.url, {
        method: 'POST',
        target: `/webhook${one.query && `?${one.query}`}`,
        headers: [one.key, ['Content-Type', 'application/json'], ...one.headers],
        body: one.body,
      });
      server.checker.check(answer);
      expect([202, 400, 401, 409, 415, 422]).toContain(answer.status);
      const listed = listedObjects(one.body);
      const inbox = await member.get(`/api/alerts/inbox?limit=${listed?.length ?? 1}`);
      expect(inbox.status).toBe(200);
      const text = await inbox.text();
      // A delivery that was named may be a repetition: then it is the first one that is stored.
      if (answer.status !== 202 || one.headers.some(([name]) => name === 'Idempotency-Key')) return;
      const { id } = webhookReceiptSchema.parse(JSON.parse(answer.text));
      const { occurrences } = alertSchema.parse(await (await member.get(`/api/alerts/${id}`)).json());
      // What names a problem that is open already is an occurrence of that one, which keeps its first body.
      if (occurrences > 1) return;
      expect(text).toContain(`"id":"${id}"`);
      const alerts = z.array(alertSchema).parse(JSON.parse(text));
      const isStored = listed
        ? isDeepStrictEqual(alerts.map(({ payload }) => payload).toReversed(), listed)
        : text.includes(new TextDecoder().decode(one.body).trim());
      expect(isStored).toBe(true);
    }),
    limit.parameters,
  );
});
