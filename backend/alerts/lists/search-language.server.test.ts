import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidv7 } from 'uuidv7';
import type { StoredAlert } from '#backend/alerts/alert/alert.ts';
import { bulkResultSchema } from '#backend/contract/bulk.ts';
import { folderSchema } from '#backend/contract/folder.ts';
import { firstIdAt } from '#backend/platform/database/ids.ts';
import { AlertTypeEntity, CustomerEntity } from '#backend/alerts/mutes/mute-entities.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { knownName } from '#tests/support/insert-names.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { walkList } from '#tests/support/walk-list.ts';

const NOW = Date.now();
const HOUR_MS = 3_600_000;

let server: TestServer;
let anna: TestClient;
let ben: TestClient;
let admin: TestClient;
let folderId: string;

/** An id that says when its alert was received. */
const idAt = (hoursAgo: number): string => firstIdAt(NOW - hoursAgo * HOUR_MS).slice(0, 14) + uuidv7().slice(14);

/** The alerts, oldest first, each named by its title. */
const alerts = (): (Partial<StoredAlert> & { title: string })[] => [
  { id: idAt(200), title: 'old', customer: 'Harbor & Finch', payload: '{"text":"disk almost full"}' },
  {
    id: idAt(30),
    title: 'critical',
    customer: 'Harbor & Finch',
    severity: 'critical',
    payload: '{"text":"full disk"}',
  },
  { id: idAt(20), title: 'other case', customer: 'harbor & finch', alertType: 'Disk' },
  {
    id: idAt(10),
    title: 'blue',
    customer: 'Blue',
    alertType: 'disk',
    severity: 'high',
    payload: '{"a":"full","b":"disk"}',
  },
  {
    id: idAt(5),
    title: 'mine',
    customer: 'Blue',
    status: 'accepted',
    ownerId: anna.id,
    payload: '{"text":"disk full"}',
  },
  { id: idAt(4), title: 'filed', status: 'in-progress', ownerId: anna.id, folderId, payload: '{"text":"disk full"}' },
  { id: idAt(3), title: 'bens', status: 'completed', ownerId: ben.id, payload: '{"text":"disk full"}' },
  { id: idAt(1), title: 'plain', payload: '{}', quietById: uuidv7(), quietByName: 'Upgrade' },
];

beforeAll(async () => {
  server = await startTestServer();
  anna = await server.signedIn({ displayName: 'Anna Lee' });
  ben = await server.signedIn({ displayName: 'Ben' });
  admin = await server.signedIn({ role: 'admin', displayName: 'Admin' });
  const folder = await anna.send('POST', '/api/folders', { name: 'Disks', color: 'blue' });
  folderId = folderSchema.parse(await folder.json()).id;
  await insertAlerts(server.database, alerts());
  await server.database.transaction(async (tx) => {
    const customers = ['Harbor & Finch', 'harbor & finch', 'Blue'];
    await tx
      .getRepository(CustomerEntity)
      .insert(customers.map((name) => Object.assign(knownName(name, NOW), { id: uuidv7() })));
    await tx.getRepository(AlertTypeEntity).insert(['Disk', 'disk'].map((name) => knownName(name, NOW)));
  });
  const key = await server.addApiKey('Monitoring');
  await anna.postAlert(key, { title: 'posted', text: 'disk' });
});
afterAll(() => server.destroy());

/** Titles of what is found, newest first. */
async function find(member: TestClient, list: string, search: string, more = ''): Promise<(string | null)[]> {
  const path = `/api/alerts/${list}?limit=2&search=${encodeURIComponent(search)}${more}`;
  const { alerts: found, totals } = await walkList(member, path);
  expect([...totals][0]).toBe(String(found.length));
  return found.map(({ title, payload }) => title ?? (payload['title'] as string));
}

describe('in a list', () => {
  test.each([
    ['full disk', ['blue', 'critical', 'old']],
    ['"disk almost" FULL', ['old']],
    ['"full disk"', ['critical']],
    ['customer:"Harbor & Finch"', ['critical', 'old']],
    ['customer:BLUE', ['blue']],
    ['customer:Blue customer:"Harbor & Finch"', ['blue', 'critical', 'old']],
    ['customer:Nobody', []],
    ['type:Disk', ['other case']],
    ['type:DISK', ['blue', 'other case']],
    ['severity:critical severity:high', ['blue', 'critical']],
    ['severity:none disk almost', ['old']],
    ['from:24h to:2h', ['blue', 'other case']],
    ['from:24h to:2h full', ['blue']],
    ['to:100h', ['old']],
    ['from:1h to:2h', []],
    ['status:pending to:100h', ['old']],
    ['status:completed', []],
    ['owner:none critical', ['critical']],
    ['owner:me', []],
    ['folder:Disks', []],
    ['source:monitoring', ['posted']],
    ['source:nowhere', []],
    ['is:quiet', ['plain']],
    ['unknown:key', []],
  ])('%s', async (search, found) => {
    expect(await find(anna, 'inbox', search)).toEqual(found);
  });

  test('everybody finds what is theirs', async () => {
    expect(await find(anna, 'mine', 'disk')).toEqual(['mine']);
    expect(await find(anna, 'mine', 'owner:"anna lee" status:accepted status:completed')).toEqual(['mine']);
    expect(await find(anna, 'mine', 'owner:Ben')).toEqual([]);
    expect(await find(anna, 'all-folders', 'folder:disks full')).toEqual(['filed']);
    expect(await find(anna, `folder/${folderId}`, 'folder:other')).toEqual([]);
    expect(await find(ben, 'all-folders', 'folder:disks')).toEqual([]);
    expect((await anna.get('/api/alerts/all?search=disk')).status).toBe(403);
  });

  test('administrators find what is anybody’s', async () => {
    expect(await find(admin, 'all', 'owner:"Anna Lee"')).toEqual(['filed', 'mine']);
    expect(await find(admin, 'all', 'owner:ben owner:none to:100h')).toEqual(['old']);
    expect(await find(admin, 'all', 'owner:ben owner:"anna lee"', '&sort=status')).toEqual(['mine', 'filed', 'bens']);
    expect(await find(admin, 'all', 'status:completed status:in-progress')).toEqual(['bens', 'filed']);
    expect(await find(admin, 'all', 'folder:disks')).toEqual([]);
    expect(await find(admin, 'all', 'disk full', '&sort=severity')).toEqual([
      'critical',
      'blue',
      'bens',
      'filed',
      'mine',
      'old',
    ]);
  });

  test('what is snoozed, in its own list and in that of all', async () => {
    const ids = await insertAlerts(server.database, [
      { id: idAt(150), title: 'asleep', payload: '{"text":"grebe"}' },
      {
        id: idAt(140),
        title: 'asleep of ben',
        status: 'accepted',
        ownerId: ben.id,
        payload: '{"text":"grebe"}',
      },
    ]);
    for (const id of ids) {
      const until = new Date(NOW + HOUR_MS).toISOString();
      expect((await ben.send('POST', `/api/alerts/${id}/snooze`, { until })).status).toBe(200);
    }
    expect(await find(anna, 'inbox', 'grebe')).toEqual([]);
    expect(await find(anna, 'snoozed', 'grebe')).toEqual(['asleep']);
    expect(await find(ben, 'snoozed', 'grebe owner:me')).toEqual(['asleep of ben']);
    expect(await find(ben, 'snoozed', 'grebe owner:none')).toEqual(['asleep']);
    expect(await find(ben, 'snoozed', 'folder:Disks')).toEqual([]);
    expect(await find(admin, 'all', 'grebe owner:ben')).toEqual(['asleep of ben']);
    expect(await find(admin, 'all', 'grebe')).toEqual(['asleep of ben', 'asleep']);
  });

  test('together with its filter', async () => {
    expect(await find(anna, 'inbox', 'customer:Blue', '&customer=Blue')).toEqual(['blue']);
    expect(await find(anna, 'inbox', 'customer:Blue', '&customer=Other')).toEqual([]);
    expect(await find(anna, 'inbox', 'severity:high severity:critical', '&severity=high&severity=low')).toEqual([
      'blue',
    ]);
    expect(await find(anna, 'inbox', 'disk', '&q=almost')).toEqual(['old']);
  });

  test('in the time zone of who asks', async () => {
    const local = new Date(NOW - 15 * HOUR_MS).toISOString().slice(0, 16);
    expect(await find(anna, 'inbox', `from:${local} full`)).toEqual(['blue']);
    // Their clocks are 14 hours ahead: there it was that time 29 hours ago.
    const zone = '&timeZone=Pacific/Kiritimati';
    expect(await find(anna, 'inbox', `from:${local} customer:"harbor & finch"`, zone)).toEqual(['other case']);
  });
});

test('what is not understood is refused in words', async () => {
  const refused = await anna.get('/api/alerts/inbox?search=status:open%20from:banana');
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain(
    'status: takes pending, accepted, in-progress or completed. from: takes today',
  );
  expect((await anna.get('/api/alerts/inbox?search=x&timeZone=Nowhere')).status).toBe(400);
});

test('a source that was deleted is found by its id, beside others by their names', async () => {
  const sourceId = uuidv7();
  await insertAlerts(server.database, [{ title: 'orphan', sourceId, sourceName: 'Old Zabbix' }]);
  expect(await find(anna, 'inbox', `source:${sourceId}`)).toEqual(['orphan']);
  expect(await find(anna, 'inbox', `source:${sourceId} orphan`)).toEqual(['orphan']);
  expect(await find(anna, 'inbox', 'source:"Old Zabbix"')).toEqual([]);
  expect(await find(anna, 'inbox', `source:${sourceId} customer:Blue`)).toEqual([]);
});

test('all that a search finds can be changed together', async () => {
  const [first = '', second = ''] = await insertAlerts(server.database, [
    { title: 'heron one' },
    { title: 'heron two' },
  ]);
  const answer = await anna.send('POST', '/api/alerts/bulk', {
    action: 'accept',
    filter: { list: 'inbox', search: 'heron from:1h' },
    expectedCount: 2,
  });
  const { changed } = bulkResultSchema.parse(await answer.json());
  expect(changed.map(({ id }) => id).toSorted()).toEqual([first, second]);
});
