import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { SharedRequestEntity, readRows } from '#backend/intake/delivery-log/delivery-entity.ts';
import { storedDeliveries } from '#tests/support/source-world.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { createLimit } from './limits.ts';
import { MAX_HEAD } from './request-arbitrary.ts';
import { sendRaw } from './send-raw.ts';
import { percentEncoded, wildBody, wildHeaders, wildSegment, wildText } from './wild.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const server = await startTestServer();
afterAll(() => server.destroy());
const admin = await server.signedIn({ role: 'admin' });
const made = await admin.send('POST', '/api/sources', { name: 'Fuzzed' });
const { plain } = sourceWithSecretsSchema.parse(await made.json());
const secrets = [plain.key ?? '', plain.token ?? ''];

const path = fc.oneof(
  fc.constantFrom('/webhook', '/webhook/', '/v2/enqueue', `/in/${plain.token}`, `/in/${plain.token}/`, '/in/adt_none'),
  wildSegment.map((segment) => `/in/${segment}`),
);
const query = fc.oneof(
  fc.constantFrom('', `?token=${plain.token}`, '?token=', '?token=a&token=b', '?%74oken=1'),
  wildText.map((text) => `?${percentEncoded(text)}`),
);
const method = fc.constantFrom('POST', 'POST', 'POST', 'PUT', 'GET', 'OPTIONS', 'DELETE');
const header = fc.constantFrom<[string, string]>(
  ['X-Webhook-Auth', plain.key ?? ''],
  ['X-API-Key', plain.key ?? ''],
  ['Authorization', `Basic ${Buffer.from(`a:${plain.key}`).toString('base64')}`],
  ['Authorization', 'Basic ====='],
  ['X-Gitlab-Token', ''],
  ['X-GitHub-Event', 'ping'],
  ['X-Hub-Signature-256', 'sha256=00'],
  ['x-amz-sns-message-type', 'SubscriptionConfirmation'],
  ['WebHook-Request-Origin', 'a.example'],
);
const encoding = fc.constantFrom<[string, string][]>(
  [],
  [['Content-Encoding', 'gzip']],
  [['Content-Encoding', 'br, gzip']],
  [['Content-Type', 'application/x-www-form-urlencoded']],
  [['Content-Type', 'application/x-ndjson']],
  [['Content-Type', 'text/plain']],
);

/** Requests between two looks at the log: of those with unknown keys it takes a hundred at a time, and keeps a thousand. */
const LOGGED_TOGETHER = 50;

/** Rows of the log that came after this one. */
const rowsAfter = async (id: string) => {
  const { reads } = server.database;
  const rows = await storedDeliveries(reads);
  return readRows(
    reads,
    rows.filter((row) => row.id > id),
  );
};

test('whatever is sent to whatever address, no answer is a 5xx, none reveals a secret, and each is in the log', async () => {
  const limit = createLimit(1, 600);
  const request = fc.record({ method, path, query, header, encoding, body: wildBody, headers: wildHeaders });
  let requests = 0;
  let taken = 0;
  let newest = '';
  const expectLogged = async () => {
    await waitFor(async () => {
      const rows = await rowsAfter(newest);
      expect(rows.filter(({ status }) => status === 202 || status === 401)).toHaveLength(taken);
      newest = rows.reduce((last, { id }) => (id > last ? id : last), newest);
    });
    taken = 0;
  };
  await fc.assert(
    fc.asyncProperty(
      request.filter((one) => one.query.length + one.headers.flat().join('').length < MAX_HEAD),
      async (sent) => {
        if (limit.isOver()) return;
        const { status, text, headers } = await sendRaw(server.url, {
          method: sent.method,
          target: sent.path + sent.query,
          headers: [...sent.headers, sent.header, ...sent.encoding],
          body: sent.body,
        });
        expect(status).toBeLessThan(500);
        for (const secret of secrets) expect(text + JSON.stringify([...headers])).not.toContain(secret);
        if (status === 202 || status === 401) taken += sent.method === 'POST' || sent.method === 'PUT' ? 1 : 0;
        requests += 1;
        if (requests % LOGGED_TOGETHER === 0) await expectLogged();
      },
    ),
    limit.parameters,
  );
  await expectLogged();
  const { reads } = server.database;
  const rows = JSON.stringify([await storedDeliveries(reads), await reads.getRepository(SharedRequestEntity).find()]);
  for (const secret of secrets) expect(rows).not.toContain(secret);
});
