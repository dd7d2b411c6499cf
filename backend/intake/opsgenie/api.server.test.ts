import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UserEntity } from '#backend/identity/users/user.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { type SourceWorld, createSourceWorld } from '#tests/support/source-world.ts';
import { newOpsgenieClient } from '#tests/support/opsgenie-client.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
let world: SourceWorld;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  world = createSourceWorld(server, admin);
});
afterAll(() => server.destroy());

const newClient = (settings: object = {}) => newOpsgenieClient(admin, [server.url], settings);

const ALIAS = '?identifierType=alias';

const emailOf = async ({ id }: TestClient): Promise<string> =>
  (await server.database.reads.getRepository(UserEntity).findOneByOrFail({ id })).email;

const actionsOf = async (id: unknown) =>
  historySchema
    .parse(await (await admin.get(`/api/alerts/${String(id)}/history`)).json())
    .map(({ action, userDisplayName }) => `${action} by ${userDisplayName}`)
    .toReversed();

describe('an alert that is created', () => {
  test('is an alert with what it says, and is answered as Opsgenie answers', async () => {
    const client = await newClient();
    const answer = await client.call('POST', '/v2/alerts', {
      message: 'Disk of db-7 is full',
      alias: 'disk/db-7',
      description: 'It has 12 bytes left.',
      priority: 'P2',
      tags: ['disk', 'db'],
      details: { host: 'db-7', free: '12' },
      entity: 'Nordwind',
      source: 'nagios',
      note: 'Look soon',
      user: 'cron',
      actions: ['Restart'],
      responders: [{ type: 'team', name: 'Storage' }],
    });
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ result: 'Request will be processed', took: expect.any(Number) });
    expect(answer.headers.get('x-ratelimit-state')).toBe('OK');
    expect(answer.headers.get('x-ratelimit-reason')).toBe('ACCOUNT');
    expect(answer.headers.get('x-ratelimit-period-in-sec')).toBe('60');
    expect(answer.headers.get('x-request-id')).toBe(answer.body.requestId);
    const status = await client.statusOf(answer);
    expect(status).toMatchObject({
      isSuccess: true,
      success: true,
      action: 'Create',
      status: 'Created alert',
      alias: 'disk/db-7',
      integrationId: client.source.id,
    });
    const alert = await client.get('disk/db-7');
    expect(alert).toMatchObject({
      id: status['alertId'],
      alias: 'disk/db-7',
      message: 'Disk of db-7 is full',
      status: 'open',
      acknowledged: false,
      snoozed: false,
      count: 1,
      priority: 'P2',
      tags: ['disk', 'db'],
      details: { host: 'db-7', free: '12' },
      entity: 'Nordwind',
      description: 'It has 12 bytes left.',
      source: 'nagios',
      owner: '',
      actions: ['Restart'],
      // Opsgenie's client for Python refuses an alert whose responder has no id.
      responders: [{ type: 'team', name: 'Storage', id: expect.stringMatching(/^[\da-f-]{36}$/) }],
      integration: { id: client.source.id, name: client.source.name, type: 'API' },
    });
    for (const [type, identifier] of [
      ['id', alert['id']],
      ['tiny', alert['tinyId']],
    ]) {
      const again = await client.call('GET', `/v2/alerts/${String(identifier)}?identifierType=${String(type)}`);
      expect(again.body.data).toEqual(alert);
    }
    const stored = await (await admin.get(`/api/alerts/${String(alert['id'])}`)).json();
    expect(stored).toMatchObject({
      title: 'Disk of db-7 is full',
      customer: 'Nordwind',
      severity: 'high',
      state: 'firing',
      dedupKey: 'disk/db-7',
      sender: 'opsgenie',
      payload: { user: 'cron', note: 'Look soon' },
    });
    await world.expectNewest(client.source.id, { outcome: 'new', status: 202, sender: 'opsgenie' });
  });

  test('again while it is open is a repeat, which says what it says now and keeps what was added', async () => {
    const client = await newClient();
    await client.call('POST', '/v2/alerts', { message: 'One', alias: 'a', tags: ['x'], details: { big: '1', a: 'A' } });
    await client.done('POST', `/v2/alerts/a/tags${ALIAS}`, { tags: ['added'] });
    const status = await client.done('POST', '/v2/alerts', {
      message: 'Two',
      alias: 'a',
      tags: ['y'],
      details: { b: 'B' },
    });
    expect(status).toMatchObject({ isSuccess: true, action: 'Create', alias: 'a' });
    expect(await client.get('a')).toMatchObject({
      message: 'Two',
      count: 2,
      tags: ['x', 'added', 'y'],
      details: { big: '1', a: 'A', b: 'B' },
    });
  });

  test('without an alias gets one; numbers keep their digits', async () => {
    const client = await newClient();
    const status = await client.done(
      'POST',
      '/v2/alerts',
      '{"message":"No alias","details":{"id":820982911946154508}}',
    );
    expect(status['alias']).toMatch(/^[\da-f-]{36}$/);
    await client.done('POST', `/v2/alerts/${String(status['alertId'])}/tags`, { tags: ['t'] });
    expect((await client.get(String(status['alias'])))['details']).toEqual({ id: '820982911946154500' });
    const stored = await (await admin.get(`/api/alerts/${String(status['alertId'])}`)).text();
    expect(stored).toContain('"details":{"id":820982911946154508}');
  });

  test.each([
    [{ message: '' }, 422, 'message can not be empty.'],
    [{ message: 'M', priority: 'P6' }, 422, 'priority is one of P1, P2, P3, P4, P5.'],
    [{ message: 'M', alias: {} }, 422, 'alias is not a text.'],
    ['[]', 422, 'The body is not a JSON object.'],
    ['{', 400, 'The body is not valid JSON.'],
  ])('like %j is refused in Opsgenie’s form, and stands in the log', async (body, status, message) => {
    const client = await newClient();
    const answer = await client.call('POST', '/v2/alerts', body);
    expect(answer).toMatchObject({
      status,
      body: { message, took: expect.any(Number), requestId: expect.any(String) },
    });
    await world.expectNewest(client.source.id, { outcome: 'refused', status, summary: message.replace(/\.$/, '') });
  });
});

const opened = async (settings: object = {}) => {
  const client = await newClient(settings);
  const { alertId } = await client.done('POST', '/v2/alerts', { message: 'Disk', alias: 'disk', tags: ['a', 'b'] });
  return { ...client, id: String(alertId) };
};

describe('an open alert', () => {
  test('is acknowledged, returned and closed by its sender, by whom its history says', async () => {
    const { done, get, id, source, call } = await opened();
    expect(await done('POST', `/v2/alerts/disk/acknowledge${ALIAS}`, { user: 'Bo', note: 'On it' })).toMatchObject({
      isSuccess: true,
      action: 'Acknowledge',
      alertId: id,
    });
    await done('POST', `/v2/alerts/${id}/acknowledge`);
    expect(await get('disk')).toMatchObject({ acknowledged: true, status: 'open', count: 1 });
    await done('POST', `/v2/alerts/disk/unacknowledge${ALIAS}`);
    expect(await get('disk')).toMatchObject({ acknowledged: false });
    expect(await done('POST', `/v2/alerts/disk/close${ALIAS}`, { source: 'nagios' })).toMatchObject({
      isSuccess: true,
    });
    expect(await get('disk')).toMatchObject({ status: 'closed', message: 'Disk', tags: ['a', 'b'], count: 1 });
    expect(await done('POST', `/v2/alerts/disk/close${ALIAS}`)).toMatchObject({ isSuccess: true });
    const by = `by ${source.name}`;
    expect(await actionsOf(id)).toEqual([
      `received ${by}`,
      `acknowledged ${by}`,
      `note_added ${by}`,
      `unacknowledged ${by}`,
      `resolved ${by}`,
    ]);
    const { body } = await call('GET', `/v2/alerts/${id}/notes`);
    expect(body.data).toEqual([
      { note: 'On it\n— Bo', owner: source.name, createdAt: expect.any(String), offset: expect.any(String) },
    ]);
    await expectTrueCounts(server.database);
  });

  test('is what people made of it', async () => {
    const { get, id, list } = await opened();
    await admin.send('POST', `/api/alerts/${id}/accept`);
    expect(await get('disk')).toMatchObject({ acknowledged: true, owner: await emailOf(admin), status: 'open' });
    await admin.send('POST', `/api/alerts/${id}/snooze`, { minutes: 10 });
    expect(await get('disk')).toMatchObject({ snoozed: true, snoozedUntil: expect.any(String) });
    expect(await list('snoozed: true AND acknowledged: true')).toHaveLength(1);
    await admin.send('PATCH', `/api/webhooks/${id}/status`, { status: 'completed' });
    expect(await get('disk')).toMatchObject({ snoozed: false, status: 'closed' });
  });

  test('has other tags, details, priority, message and description, and is no repeat', async () => {
    const { done, get, id, source } = await opened();
    await done('POST', `/v2/alerts/disk/tags${ALIAS}`, { tags: ['c', 'a'] });
    await done('DELETE', `/v2/alerts/disk/tags${ALIAS}&tags=b`);
    await done('POST', `/v2/alerts/disk/details${ALIAS}`, { details: { host: 'db-7', gone: 'x' } });
    await done('DELETE', `/v2/alerts/disk/details${ALIAS}&keys=gone`);
    await done('PUT', `/v2/alerts/disk/priority${ALIAS}`, { priority: 'P1' });
    await done('PUT', `/v2/alerts/${id}/message`, { message: 'Disk of db-7' });
    await done('PUT', `/v2/alerts/disk/description${ALIAS}`, { description: 'Full.' });
    await done('PUT', `/v2/alerts/disk/description${ALIAS}`, { description: 'Full.' });
    expect(await get('disk')).toMatchObject({
      tags: ['a', 'c'],
      details: { host: 'db-7' },
      priority: 'P1',
      message: 'Disk of db-7',
      description: 'Full.',
      count: 1,
    });
    const by = `by ${source.name}`;
    const amended = `amended ${by}`;
    expect(await actionsOf(id)).toEqual([
      `received ${by}`,
      ...Array.from({ length: 4 }, () => amended),
      `severity_change ${by}`,
      amended,
      amended,
      amended,
    ]);
    await expectTrueCounts(server.database);
  });

  test('is snoozed, given to a member and noted by the rules of members', async () => {
    const { done, get, id, source, call } = await opened();
    const endTime = new Date(Date.now() + 3_600_000).toISOString();
    expect(await done('POST', `/v2/alerts/disk/snooze${ALIAS}`, { endTime, note: 'Later' })).toMatchObject({
      isSuccess: true,
      action: 'Snooze',
    });
    expect(await get('disk')).toMatchObject({ snoozed: true, snoozedUntil: endTime });
    const member = await server.signedIn();
    const email = await emailOf(member);
    expect(await done('POST', `/v2/alerts/disk/assign${ALIAS}`, { owner: { username: email } })).toMatchObject({
      isSuccess: true,
    });
    expect(await get('disk')).toMatchObject({ owner: email, acknowledged: true });
    // It may take back what it gave; what a member took is theirs.
    expect(await done('POST', `/v2/alerts/disk/unacknowledge${ALIAS}`)).toMatchObject({ isSuccess: true });
    await member.send('POST', `/api/alerts/${id}/accept`);
    for (const [method, action, body] of [
      ['POST', '/snooze', { endTime }],
      ['POST', '/assign', { owner: { username: await emailOf(admin) } }],
      ['POST', '/unacknowledge', {}],
      ['DELETE', '', undefined],
    ] as const) {
      expect(await done(method, `/v2/alerts/disk${action}${ALIAS}`, body)).toMatchObject({
        isSuccess: false,
        status: 'Somebody has accepted the alert: only they can do this',
      });
    }
    expect(await get('disk')).toMatchObject({ owner: email });
    await world.expectNewest(source.id, { outcome: 'ignored', status: 202 });
    const past = await call('POST', `/v2/alerts/disk/snooze${ALIAS}`, { endTime: '2020-01-01T00:00:00Z' });
    expect(past).toMatchObject({ status: 422, body: { message: 'This time has passed. Choose a later one.' } });
    const nobody = await call('POST', `/v2/alerts/disk/assign${ALIAS}`, { owner: { username: 'no@body.example' } });
    expect(nobody.status).toBe(422);
    await expectTrueCounts(server.database);
  });

  test('is deleted while it is in the inbox', async () => {
    const { done, call, id } = await opened();
    expect(await done('DELETE', `/v2/alerts/${id}?user=cron`)).toMatchObject({ isSuccess: true, action: 'Delete' });
    expect(await call('GET', `/v2/alerts/${id}`)).toMatchObject({
      status: 404,
      body: { message: 'Alert does not exist' },
    });
    expect(await done('POST', `/v2/alerts/${id}/close`)).toMatchObject({
      isSuccess: false,
      status: 'Alert does not exist',
    });
  });

  test('stays as it is while its source is paused, and when the same call comes again', async () => {
    const { done, get, source, call } = await opened();
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    for (const _ of [1, 2]) await call('POST', `/v2/alerts/disk/notes${ALIAS}`, { note: 'Once' }, headers);
    expect((await call('GET', `/v2/alerts/disk/notes${ALIAS}`)).body.data).toHaveLength(1);
    const other = await call('POST', `/v2/alerts/disk/notes${ALIAS}`, { note: 'Other' }, headers);
    expect(other.status).toBe(409);
    await admin.send('PATCH', `/api/sources/${source.id}`, { isPaused: true });
    expect(await done('POST', `/v2/alerts/disk/close${ALIAS}`)).toMatchObject({ isSuccess: false });
    expect(await get('disk')).toMatchObject({ status: 'open' });
  });
});
