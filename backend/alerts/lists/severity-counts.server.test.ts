import { afterAll, beforeAll, expect, test } from 'vitest';
import { severityCountsSchema } from '#backend/contract/severity-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let member: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  member = await server.signedIn({ role: 'user' });
  await insertAlerts(server.database, [
    { customer: 'Nordwind', alertType: 'disk', severity: 'critical', title: 'Disk full' },
    { customer: 'Nordwind', alertType: 'disk', severity: 'high', title: 'Disk late' },
    { customer: 'Atlas', alertType: 'disk', severity: 'critical', title: 'Disk lost' },
    { customer: 'Atlas', title: 'Note' },
    { status: 'accepted', ownerId: member.id, customer: 'Nordwind', severity: 'low', title: 'Mine' },
  ]);
});
afterAll(() => server.destroy());

const counts = async (query: string) => {
  const answer = severityCountsSchema.parse(await (await member.get(`/api/alerts/severities?${query}`)).json());
  return answer.map(({ severity, alerts }) => `${severity} ${alerts}`);
};

test('the alerts of a list are counted by severity, highest first, those that it has none of left out', async () => {
  expect(await counts('list=inbox')).toEqual(['critical 2', 'high 1', 'none 1']);
  expect(await counts('list=mine')).toEqual(['low 1']);
  expect(await counts('list=snoozed')).toEqual([]);
});

test('they are narrowed as the list is, by names and by a search', async () => {
  expect(await counts('list=inbox&customer=Nordwind')).toEqual(['critical 1', 'high 1']);
  expect(await counts('list=inbox&customer=Atlas&alertType=disk')).toEqual(['critical 1']);
  expect(await counts('list=inbox&search=late')).toEqual(['high 1']);
  expect(await counts('list=inbox&search=severity%3Ahigh')).toEqual(['high 1']);
  expect(await counts('list=inbox&customer=Nobody')).toEqual([]);
});

test('the numbers are those of the list that is narrowed to a severity', async () => {
  const page = await member.get('/api/alerts/inbox?customer=Nordwind&severity=critical&limit=1');
  expect(page.headers.get('x-total-count')).toBe('1');
});

test('a severity is no parameter of it, and System-Wide Alerts are for who sees everything', async () => {
  expect((await member.get('/api/alerts/severities?list=all')).status).toBe(403);
  expect((await member.get('/api/alerts/severities?list=folder')).status).toBe(400);
});
