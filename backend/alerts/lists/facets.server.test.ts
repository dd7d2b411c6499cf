import { afterAll, beforeAll, expect, test } from 'vitest';
import { alertFacetsSchema } from '#backend/contract/alert.ts';
import { MAX_FACET_NAMES } from '#backend/contract/alert-query.ts';
import { sortNames } from '#backend/contract/name.ts';
import { MAX_SOURCES, sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

/** More than one slice of counter rows, and more than an answer names. */
const CUSTOMERS = 5500;

let server: TestServer;
let member: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  member = await server.signedIn({ role: 'admin' });
  const alerts = Array.from({ length: CUSTOMERS }, (_, index) => ({
    customer: `Customer ${index}`,
    alertType: index % 2 === 0 ? 'disk.full' : null,
  }));
  await insertAlerts(server.database, [...alerts, { status: 'accepted', ownerId: member.id, customer: 'Mine' }]);
});
afterAll(() => server.destroy());

const facets = async (query: string) =>
  alertFacetsSchema.parse(await (await member.get(`/api/alerts/facets?${query}`)).json());

test('a list of more customers than an answer names gives some of them, sorted, and says so', async () => {
  const { customers, alertTypes, isComplete, incomplete } = await facets('list=inbox');
  expect(customers).toHaveLength(MAX_FACET_NAMES);
  expect(customers).toEqual(sortNames(customers));
  expect([alertTypes, isComplete, incomplete]).toEqual([['disk.full'], false, ['customers']]);
});

test.each(['inbox', 'all'])('every customer of %s is found by a part of the name, whatever its case', async (list) => {
  expect((await facets(`list=${list}&q=OMER+5499`)).customers).toEqual(['Customer 5499']);
  // The last one in the order of the counters.
  expect((await facets(`list=${list}&q=OMER+999`)).customers).toEqual(['Customer 999']);
  expect(await facets(`list=${list}&q=DISK`)).toMatchObject({
    customers: [],
    alertTypes: ['disk.full'],
    sources: [],
    isComplete: true,
  });
  expect((await facets(`list=${list}&q=nobody`)).customers).toEqual([]);
});

test('a short list is given whole', async () => {
  expect(await facets('list=mine')).toEqual({
    customers: ['Mine'],
    alertTypes: [],
    severities: [{ severity: 'none', alerts: 1 }],
    sources: [],
    isComplete: true,
  });
});

test('numbers are those of open or of completed alerts where that is said, of all that the list names', async () => {
  const other = await server.signedIn();
  const [one, two] = [newId(), newId()];
  const own = { status: 'accepted', ownerId: other.id } as const;
  const done = { ...own, status: 'completed' } as const;
  await insertAlerts(server.database, [
    { ...own, sourceId: one, sourceName: 'One', severity: 'high', customer: 'Open' },
    { ...own, status: 'in-progress', sourceId: one, sourceName: 'One', severity: 'high' },
    { ...done, sourceId: one, sourceName: 'One', severity: 'high' },
    { ...done, sourceId: two, sourceName: 'Two', severity: 'low', customer: 'Done' },
  ]);
  const numbers = async (query: string) => {
    const answer = await other.get(`/api/alerts/facets?list=mine${query}`);
    const { customers, severities, sources } = alertFacetsSchema.parse(await answer.json());
    return [customers, severities.map(({ alerts }) => alerts), sources.map(({ name, alerts }) => [name, alerts])];
  };
  const customers = ['Done', 'Open'];
  expect(await numbers('')).toEqual([
    customers,
    [3, 1],
    [
      ['One', 3],
      ['Two', 1],
    ],
  ]);
  expect(await numbers('&completion=open')).toEqual([
    customers,
    [2, 0],
    [
      ['One', 2],
      ['Two', 0],
    ],
  ]);
  expect(await numbers('&completion=completed')).toEqual([
    customers,
    [1, 1],
    [
      ['One', 1],
      ['Two', 1],
    ],
  ]);
});

test('a deleted source has the name that its newest alert of the list came with', async () => {
  const other = await server.signedIn();
  const [one, two] = [newId(), newId()];
  const own = { status: 'accepted', ownerId: other.id } as const;
  await insertAlerts(server.database, [
    { ...own, sourceId: one, sourceName: 'Before' },
    { ...own, sourceId: two, sourceName: 'Only' },
    { ...own, sourceId: one, sourceName: 'After', status: 'completed' },
    { sourceId: one, sourceName: 'In the inbox' },
  ]);
  const answer = await other.get('/api/alerts/facets?list=mine');
  expect(alertFacetsSchema.parse(await answer.json()).sources).toEqual([
    { id: one, name: 'After', alerts: 2, isDeleted: true },
    { id: two, name: 'Only', alerts: 1, isDeleted: true },
  ]);
});

test('every source that there is is named, however many deleted ones come before it by name', async () => {
  const other = await server.signedIn();
  const made = await member.send('POST', '/api/sources', { name: 'Zulu', adapter: 'generic' });
  const { source } = sourceWithSecretsSchema.parse(await made.json());
  const own = { status: 'accepted', ownerId: other.id } as const;
  const deleted = Array.from({ length: MAX_SOURCES }, () => ({ ...own, sourceId: newId(), sourceName: 'Before' }));
  await insertAlerts(server.database, [...deleted, { ...own, sourceId: source.id, sourceName: 'Zulu' }]);
  const answer = await other.get('/api/alerts/facets?list=mine');
  const { sources, isComplete, incomplete } = alertFacetsSchema.parse(await answer.json());
  expect(incomplete).toEqual(['sources']);
  expect(sources).toHaveLength(MAX_SOURCES);
  expect(sources.at(-1)).toEqual({ id: source.id, name: 'Zulu', alerts: 1 });
  expect(isComplete).toBe(false);
});
