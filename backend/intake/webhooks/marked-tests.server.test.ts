import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Alert, alertListSchema, alertSchema } from '#backend/contract/alert.ts';
import { deliveryListSchema, deliverySummarySchema } from '#backend/contract/delivery.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { addDays, insightSchema } from '#backend/contract/insight.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { webhookReceiptSchema } from '#backend/contract/webhook.ts';
import uptimeKumaDown from '#backend/intake/reading/samples/uptime-kuma-down.json' with { type: 'json' };
import uptimeKumaTest from '#backend/intake/reading/samples/uptime-kuma-test.json' with { type: 'json' };
import zabbixProblem from '#backend/intake/reading/samples/zabbix-problem.json' with { type: 'json' };
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { must } from '#tests/support/write-routes.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

/** A source, and the key that its sender has. */
interface Known {
  id: string;
  key: string;
}

async function addSource(adapter: string): Promise<Known> {
  const answer = await must(admin.send('POST', '/api/sources', { name: crypto.randomUUID(), adapter }));
  const { source, plain } = sourceWithSecretsSchema.parse(await answer.json());
  return { id: source.id, key: plain.key ?? '' };
}

const ofSource = async ({ id }: Known, search = ''): Promise<Alert[]> => {
  const query = new URLSearchParams({ source: id, search });
  return alertListSchema.parse(await (await admin.get(`/api/alerts/inbox?${query}`)).json());
};
const sendTest = async ({ id }: Known): Promise<string> =>
  deliverySummarySchema.parse(await (await must(admin.send('POST', `/api/sources/${id}/test`))).json()).id;
const marksOf = (alerts: readonly Alert[]) => alerts.map(({ isTest }) => isTest);
const sendOwn = async (): Promise<string> =>
  webhookReceiptSchema.parse(await (await must(admin.send('POST', '/api/webhook/test'))).json()).id;

describe('an alert is marked as a test', () => {
  test('that a source’s test made, also when that is replayed; what its sender sends is none', async () => {
    const source = await addSource('zabbix');
    const deliveryId = await sendTest(source);
    const [made, ...others] = await ofSource(source);
    expect([made?.isTest, others]).toEqual([true, []]);
    await must(admin.send('POST', `/api/deliveries/${deliveryId}/replay`, { notify: false }));
    const replay = await waitFor(async () => {
      const answer = await admin.get(`/api/sources/${source.id}/deliveries`);
      const found = deliveryListSchema.parse(await answer.json()).find(({ id }) => id !== deliveryId);
      if (!found) throw new Error('The replay is not logged yet.');
      return found;
    });
    await must(admin.send('POST', `/api/deliveries/${replay.id}/replay`, { notify: false }));
    expect(await ofSource(source)).toMatchObject([{ id: made?.id, isTest: true, occurrences: 3 }]);

    // In earnest, with the key that the test had: a problem of its own, which the test neither hides nor resolves.
    await must(admin.post(source.key, zabbixProblem.body));
    const both = await ofSource(source);
    expect(marksOf(both)).toEqual([undefined, true]);
    expect(both.map(({ occurrences }) => occurrences)).toEqual([1, 3]);
    await sendTest(source);
    expect((await ofSource(source)).map(({ occurrences }) => occurrences)).toEqual([1, 4]);
  });

  test('that a vendor’s own test made, where the adapter knows it', async () => {
    const source = await addSource('uptime-kuma');
    await must(admin.post(source.key, uptimeKumaTest.body));
    await must(admin.post(source.key, uptimeKumaDown.body));
    expect(marksOf(await ofSource(source))).toEqual([undefined, true]);
  });

  test('everywhere: by itself, in its history, and after every change', async () => {
    const member = await server.signedIn();
    const id = await sendOwn();
    await must(member.send('POST', `/api/alerts/${id}/accept`));
    const alert = alertSchema.parse(await (await member.get(`/api/alerts/${id}`)).json());
    expect(alert).toMatchObject({ isTest: true, status: 'accepted' });
    const history = historySchema.parse(await (await member.get(`/api/alerts/${id}/history`)).json());
    expect(history.map(({ action }) => action)).toEqual(['accepted', 'test_received']);
  });
});

test('is:test finds tests alone, with other parts and page by page', async () => {
  const source = await addSource('zabbix');
  await sendTest(source);
  await must(admin.post(source.key, zabbixProblem.body));
  expect(marksOf(await ofSource(source, 'is:test'))).toEqual([true]);
  expect(await ofSource(source, 'is:test nothing-has-this')).toEqual([]);
  const ids = new Set([await sendOwn(), await sendOwn(), await sendOwn()]);
  const found: string[] = [];
  for (let path: string | undefined = '/api/alerts/inbox?search=is:test&limit=1'; path !== undefined;) {
    const answer: Response = await admin.get(path);
    const alerts = alertListSchema.parse(await answer.json());
    expect(alerts.every(({ isTest }) => isTest)).toBe(true);
    found.push(...alerts.map(({ id }) => id));
    path = /<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  expect(found.filter((id) => ids.has(id))).toHaveLength(3);
  const all = await admin.get('/api/alerts/inbox?search=is:test');
  expect(Number(all.headers.get('x-total-count'))).toBe(found.length);
  const answer = await admin.get('/api/alerts/inbox?search=is:open');
  expect([answer.status, await answer.text()]).toEqual([400, 'is: takes test, flapping or quiet.']);
});

test('insight leaves tests out, also those that were deleted before they were counted', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const counted = async (): Promise<number> => {
    // Until tomorrow: the day may end while this runs.
    const query = new URLSearchParams({ from: today, to: addDays(today, 1), timeZone: 'UTC' });
    return insightSchema.parse(await (await admin.get(`/api/insight?${query}`)).json()).totals.arrived;
  };
  const before = await counted();
  const source = await addSource('zabbix');
  await sendTest(source);
  await sendOwn();
  await must(admin.send('DELETE', `/api/webhooks/${await sendOwn()}`));
  await must(admin.post(source.key, zabbixProblem.body));
  expect(await counted()).toBe(before + zabbixProblem.expected.length);
});
