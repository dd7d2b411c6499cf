import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { UserEntity } from '#backend/identity/users/user.ts';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { auditEntrySchema } from '#backend/contract/audit-entry.ts';
import { MAX_VIEWS, type View, viewListAnswerSchema, viewSchema } from '#backend/contract/view.ts';
import { listenLive } from '#tests/support/live-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { ViewEntity } from './view.ts';
import { waitFor } from '#tests/support/wait-for.ts';

let server: TestServer;
let admin: TestClient;
let colleague: TestClient;
let anna: TestClient;
let ben: TestClient;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());
beforeEach(async () => {
  await server.database.transaction((tx) => tx.getRepository(ViewEntity).clear());
  await server.database.transaction((tx) => tx.getRepository(AuditEntity).clear());
  admin = await server.signedIn({ role: 'admin' });
  colleague = await server.signedIn({ role: 'super_user' });
  anna = await server.signedIn({ displayName: 'Anna' });
  ben = await server.signedIn({ displayName: 'Ben' });
});

const create = (member: TestClient, view: unknown) => member.send('POST', '/api/views', view);
const made = async (member: TestClient, view: object = {}): Promise<View> =>
  viewSchema.parse(await (await create(member, { name: 'Night shift', list: 'inbox', ...view })).json());
const change = (member: TestClient, { id, version }: View, changed: object) =>
  member.send('PATCH', `/api/views/${id}`, { version, ...changed });
const list = async (member: TestClient) => viewListAnswerSchema.parse(await (await member.get('/api/views')).json());
const names = async (member: TestClient) => (await list(member)).map(({ name }) => name);

const order = (member: TestClient, isShared: boolean, ids: string[]) =>
  member.send('PUT', '/api/views/order', { isShared, ids });
const changes = ({ events }: { events: { type: string }[] }) =>
  events.filter(({ type }) => type === 'views_changed').length;

describe('saving', () => {
  test('a view of one’s own is nobody else’s', async () => {
    const response = await create(anna, {
      name: ' Harbor ',
      list: 'mine',
      search: ' disk type:Full ',
      sort: 'severity',
    });
    expect(response.status).toBe(201);
    const view = viewSchema.parse(await response.json());
    expect(view).toEqual({
      id: view.id,
      name: 'Harbor',
      isShared: false,
      list: 'mine',
      search: 'disk type:Full',
      sort: 'severity',
      version: 1,
      notify: 'settings',
      alerts: null,
    });
    expect(await names(anna)).toEqual(['Harbor']);
    expect(await names(admin)).toEqual([]);
    for (const refused of [
      await change(admin, view, { name: 'Stolen' }),
      await admin.send('DELETE', `/api/views/${view.id}`),
    ]) {
      expect(refused.status).toBe(404);
    }
  });

  test('administrators share views, which everybody sees after their own', async () => {
    await made(admin, { name: 'Critical', isShared: true });
    await made(anna, { name: 'Own' });
    expect(await names(anna)).toEqual(['Own', 'Critical']);
    expect(await names(ben)).toEqual(['Critical']);
    expect((await create(anna, { name: 'Mine for all', list: 'inbox', isShared: true })).status).toBe(403);
    const [shared] = await list(ben);
    if (!shared) throw new Error('no view');
    expect((await change(ben, shared, { name: 'Other' })).status).toBe(403);
    expect((await ben.send('DELETE', `/api/views/${shared.id}`)).status).toBe(403);
    expect((await change(colleague, shared, { name: 'Critical and high' })).status).toBe(200);
    expect(await names(ben)).toEqual(['Critical and high']);
  });

  test('what administrators do to shared views is in the audit trail, and nothing of anybody’s own', async () => {
    const own = await made(anna, { name: 'Own' });
    await change(anna, own, { name: 'My own' });
    const mine = await made(admin, { name: 'Draft' });
    const shared = viewSchema.parse(await (await change(admin, mine, { isShared: true, name: 'Duty' })).json());
    const moved = viewSchema.parse(await (await change(colleague, shared, { search: 'disk' })).json());
    const same = viewSchema.parse(await (await change(colleague, moved, { search: 'disk' })).json());
    const renamed = viewSchema.parse(await (await change(admin, same, { name: 'On duty' })).json());
    expect((await change(admin, shared, { name: 'Too late' })).status).toBe(409);
    await change(admin, renamed, { isShared: false });
    const other = await made(colleague, { name: 'Critical', isShared: true });
    expect((await ben.send('DELETE', `/api/views/${other.id}`)).status).toBe(403);
    await admin.send('DELETE', `/api/views/${other.id}`);
    await admin.send('DELETE', `/api/views/${mine.id}`);
    const entries = z.array(auditEntrySchema).parse(await (await admin.get('/api/audit?limit=100')).json());
    const ofViews = entries.filter(({ action }) => action.includes('view')).toReversed();
    expect(ofViews.map(({ action, actorId, subject }) => [action, actorId, subject])).toEqual([
      ['view_shared', admin.id, 'Draft → Duty'],
      ['shared_view_changed', colleague.id, 'Duty'],
      ['shared_view_changed', admin.id, 'Duty → On duty'],
      ['view_unshared', admin.id, 'On duty'],
      ['shared_view_created', colleague.id, 'Critical'],
      ['shared_view_deleted', admin.id, 'Critical'],
    ]);
    expect(ofViews.every(({ ip }) => ip === '127.0.0.1')).toBe(true);
  });

  test('views of every alert are for those who see every alert', async () => {
    const shared = await made(admin, { name: 'Everything', list: 'all', isShared: true });
    const own = await made(admin, { name: 'Late', list: 'all' });
    expect(await names(anna)).toEqual([]);
    expect(await names(colleague)).toEqual(['Everything']);
    expect((await create(anna, { name: 'All', list: 'all' })).status).toBe(403);
    expect((await change(anna, shared, { name: 'Mine' })).status).toBe(404);

    // Who is an administrator no more sees neither; what is shared stays for the others.
    await server.database.transaction((tx) => tx.getRepository(UserEntity).update({ id: admin.id }, { role: 'user' }));
    expect(await names(admin)).toEqual([]);
    expect((await change(admin, own, { name: 'Later' })).status).toBe(404);
    expect(await names(colleague)).toEqual(['Everything']);
  });

  test.each([
    [{ name: '  ', list: 'inbox' }, 422, 'name'],
    [{ name: 'x'.repeat(61), list: 'inbox' }, 422, 'name'],
    [{ name: 'A', list: 'folder' }, 422, 'list'],
    [{ name: 'A', list: 'inbox', search: 'severity:awful' }, 400, 'severity: takes'],
    [{ name: 'A', list: 'inbox', search: 'x'.repeat(1001) }, 422, 'search'],
  ])('refuses %j', async (view, status, says) => {
    const response = await create(anna, view);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(says);
  });

  test('a name is free whatever its case, and among one’s own or the shared ones', async () => {
    const night = await made(anna, { name: 'Night' });
    const other = await made(anna, { name: 'Other' });
    const taken = await create(anna, { name: 'NIGHT', list: 'inbox' });
    expect([taken.status, await taken.text()]).toEqual([409, expect.stringContaining('"NIGHT"')]);
    expect((await change(anna, other, { name: 'night' })).status).toBe(409);
    expect((await change(anna, night, { name: 'NIGHT' })).status).toBe(200);
    expect((await create(ben, { name: 'Night', list: 'inbox' })).status).toBe(201);
    expect((await create(admin, { name: 'Night', list: 'inbox', isShared: true })).status).toBe(201);
  });

  test('a refusal names views that their owner no longer sees, and that keep their name and place', async () => {
    await made(admin, { name: 'Late', list: 'all' });
    await server.database.transaction((tx) => tx.getRepository(UserEntity).update({ id: admin.id }, { role: 'user' }));
    const taken = await create(admin, { name: 'late', list: 'inbox' });
    expect([taken.status, await taken.text()]).toEqual([
      409,
      'You have a view of all alerts named "late" already, which you no longer see. Choose another name.',
    ]);
    for (let number = 1; number < MAX_VIEWS; number += 1) await made(admin, { name: `View ${number}` });
    const full = await create(admin, { name: 'One more', list: 'inbox' });
    expect([full.status, await full.text()]).toEqual([
      409,
      'You have 20 views already, counting those of all alerts that you no longer see: 1. Delete one first.',
    ]);
  });

  test('no more than there may be, also when they are saved at the same moment', async () => {
    const save = (number: number) => create(anna, { name: `View ${number}`, list: 'inbox' });
    const answers = await Promise.all(Array.from({ length: MAX_VIEWS + 5 }, (_, number) => save(number)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_VIEWS);
    const refused = answers.find(({ status }) => status === 409);
    expect(await refused?.text()).toContain('You have 20 views already');
    const shared = Array.from({ length: MAX_VIEWS + 5 }, (_, number) =>
      create(number % 2 === 0 ? admin : colleague, { name: `View ${number}`, list: 'inbox', isShared: true }),
    );
    expect((await Promise.all(shared)).filter(({ status }) => status === 201)).toHaveLength(MAX_VIEWS);
    expect(await list(anna)).toHaveLength(2 * MAX_VIEWS);
  });
});

describe('changing', () => {
  test('of two administrators the second learns of the first one’s change', async () => {
    const view = await made(admin, { name: 'Critical', isShared: true, search: 'severity:critical' });
    const answers = await Promise.all([
      change(admin, view, { search: 'severity:critical severity:high' }),
      change(colleague, view, { name: 'Worst' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const [after] = await list(anna);
    expect(after?.version).toBe(2);
    const isRenamed = answers[1]?.status === 200;
    expect([after?.name, after?.search]).toEqual(
      isRenamed ? ['Worst', 'severity:critical'] : ['Critical', 'severity:critical severity:high'],
    );
    const loser = answers.find(({ status }) => status === 409);
    expect(await loser?.text()).toContain('Someone else changed this view in the meantime.');
  });

  test('a view that is deleted while it is renamed is gone', async () => {
    for (let round = 0; round < 5; round += 1) {
      const view = await made(anna, { name: `Round ${round}` });
      const [renamed, deleted] = await Promise.all([
        change(anna, view, { name: `Renamed ${round}` }),
        anna.send('DELETE', `/api/views/${view.id}`),
      ]);
      expect([200, 404]).toContain(renamed?.status);
      expect(deleted?.status).toBe(204);
    }
    expect(await list(anna)).toEqual([]);
    expect((await anna.send('DELETE', `/api/views/${crypto.randomUUID()}`)).status).toBe(404);
  });

  test('is shared, and somebody’s own again', async () => {
    const view = await made(admin, { name: 'Critical' });
    const shared = viewSchema.parse(await (await change(admin, view, { isShared: true })).json());
    expect([shared.isShared, await names(anna)]).toEqual([true, ['Critical']]);
    expect((await change(colleague, shared, { isShared: false })).status).toBe(200);
    expect([await names(anna), await names(admin), await names(colleague)]).toEqual([[], [], ['Critical']]);
    const own = await made(anna, { name: 'Own' });
    expect((await change(anna, own, { isShared: true })).status).toBe(403);
  });

  test('the order is one’s own, and that of the shared ones the administrators’', async () => {
    const [a, b, c] = [
      await made(anna, { name: 'A' }),
      await made(anna, { name: 'B' }),
      await made(anna, { name: 'C' }),
    ];
    expect((await order(anna, false, [c.id, a.id, crypto.randomUUID()])).status).toBe(204);
    expect(await names(anna)).toEqual(['C', 'A', 'B']);
    expect((await order(ben, false, [b.id])).status).toBe(204);
    expect(await names(anna)).toEqual(['C', 'A', 'B']);
    expect((await order(anna, true, [])).status).toBe(403);
    const [x, y] = [await made(admin, { name: 'X', isShared: true }), await made(admin, { name: 'Y', isShared: true })];
    const answers = await Promise.all([order(admin, true, [y.id, x.id]), order(colleague, true, [y.id, x.id])]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect(await names(ben)).toEqual(['Y', 'X']);
  });
});

test('open screens learn of it: everybody of shared views, of others their owner', async () => {
  const [annas, bens] = [await listenLive(anna), await listenLive(ben)];
  const own = await made(anna);
  await waitFor(() => expect(changes(annas)).toBe(1));
  const shared = await made(admin, { isShared: true });
  await waitFor(() => expect([changes(annas), changes(bens)]).toEqual([2, 1]));
  await anna.send('DELETE', `/api/views/${own.id}`);
  await change(colleague, shared, { isShared: false });
  await waitFor(() => expect([changes(annas), changes(bens)]).toEqual([4, 2]));
});
