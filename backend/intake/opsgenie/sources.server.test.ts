import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { UserEntity } from '#backend/identity/users/user.ts';
import { makeHeartbeat } from '#tests/support/heartbeat-calls.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { type SourceWorld, createSourceWorld } from '#tests/support/source-world.ts';
import { type Data, newOpsgenieClient } from '#tests/support/opsgenie-client.ts';
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

const ask = (path: string, headers: HeadersInit) => fetch(server.url + path, { headers });

const emailOf = async ({ id }: TestClient): Promise<string> =>
  (await server.database.reads.getRepository(UserEntity).findOneByOrFail({ id })).email;

describe('a source', () => {
  test('knows nothing of the alerts of others, and touches none', async () => {
    const [mine, other] = [await newClient(), await newClient()];
    const { alertId } = await mine.done('POST', '/v2/alerts', { message: 'Mine', alias: 'same' });
    await other.done('POST', '/v2/alerts', { message: 'Other', alias: 'same' });
    const path = `/v2/alerts/${String(alertId)}`;
    expect((await other.call('GET', path)).status).toBe(404);
    for (const [method, action, body] of [
      ['POST', '/close', {}],
      ['POST', '/notes', { note: 'Hello' }],
      ['POST', '/assign', { owner: { username: await emailOf(admin) } }],
      ['DELETE', '', undefined],
    ] as const) {
      expect(await other.done(method, path + action, body)).toMatchObject({ status: 'Alert does not exist' });
    }
    await other.done('POST', `/v2/alerts/same/close${ALIAS}`);
    expect(await mine.get('same')).toMatchObject({ message: 'Mine', status: 'open' });
    expect(await other.list('')).toHaveLength(1);
    const { body } = await mine.call('POST', `/v2/alerts/same/close${ALIAS}`);
    expect((await other.call('GET', `/v2/alerts/requests/${body.requestId}`)).status).toBe(404);
  });

  test('whose create call is replayed keeps what was added to the alert since', async () => {
    const { source, call, done, get } = await newClient();
    await call('POST', '/v2/alerts', { message: 'Disk', alias: 'disk', tags: ['db'], details: { host: 'db-7' } });
    const { id } = await world.expectNewest(source.id, { outcome: 'new' });
    await done('POST', `/v2/alerts/disk/tags${ALIAS}`, { tags: ['added'] });
    await done('POST', `/v2/alerts/disk/details${ALIAS}`, { details: { seen: 'yes' } });
    expect((await admin.send('POST', `/api/sources/${source.id}/replay`, { ids: [id] })).status).toBe(200);
    expect(await get('disk')).toMatchObject({
      count: 2,
      tags: ['db', 'added'],
      details: { host: 'db-7', seen: 'yes' },
    });
  });

  test('whose later calls are read again makes no alert of them, in the log, a dry run and the preview of a mapping', async () => {
    const { source, done } = await newClient();
    await done('POST', '/v2/alerts', { message: 'Disk', alias: 'disk' });
    await done('PUT', `/v2/alerts/disk/message${ALIAS}`, { message: 'Disk of db-7' });
    const { id } = await world.expectNewest(source.id, { method: 'PUT' });
    const ignored = 'It is a call about an alert that was there, and makes none.';
    const read = async (path: string, body: object) =>
      (await admin.send('POST', `/api/sources/${source.id}${path}`, body)).json();
    expect(await (await admin.get(`/api/deliveries/${id}`)).json()).toMatchObject({ events: [] });
    const mapping = { title: 'alias' };
    expect(await read('/dry-run', { deliveryId: id, mapping })).toMatchObject({
      events: [],
      ignored,
      sender: 'opsgenie',
    });
    const none = { alerts: 0, title: null, ignored };
    expect(await read('/mapping-preview', { mapping })).toMatchObject({
      deliveries: [
        { saved: none, draft: none },
        { saved: { title: 'Disk', ignored: null }, draft: { title: 'disk' } },
      ],
      differ: 1,
    });
  });

  test('says of a call that stored nothing whether it is paused or its mapping leaves the alert out', async () => {
    const mapping = { noAlertWhen: [{ name: 'staging', path: 'details.env', test: 'is', value: 'staging' }] };
    const client = await newClient({ mapping });
    const body = { message: 'Disk full', alias: 'disk', details: { env: 'staging' } };
    expect(await client.done('POST', '/v2/alerts', body)).toMatchObject({
      isSuccess: false,
      status: 'No alert is made of this call: nothing was stored',
      alertId: '',
    });
    await world.expectNewest(client.source.id, { outcome: 'ignored', status: 202 });
    await admin.send('PATCH', `/api/sources/${client.source.id}`, { isPaused: true });
    expect(await client.done('POST', '/v2/alerts', { message: 'Disk full', alias: 'disk' })).toMatchObject({
      isSuccess: false,
      status: 'The source is paused: nothing was stored',
    });
  });

  test('closes by id the alert that is meant, never a newer one of its alias', async () => {
    const client = await newClient({ reopenWithinMinutes: 0 });
    const first = await client.done('POST', '/v2/alerts', { message: 'One', alias: 'a' });
    await client.done('POST', `/v2/alerts/a/close${ALIAS}`);
    const second = await client.done('POST', '/v2/alerts', { message: 'Two', alias: 'a' });
    expect(second['alertId']).not.toBe(first['alertId']);
    await client.done('POST', `/v2/alerts/${String(first['alertId'])}/close`);
    expect(await client.get('a')).toMatchObject({ id: second['alertId'], status: 'open' });
  });

  test('is asked by keys in headers alone, and only one of this type', async () => {
    const client = await newClient();
    expect((await ask('/v2/alerts', { Authorization: 'GenieKey none' })).status).toBe(401);
    expect((await ask('/v2/alerts', {})).status).toBe(401);
    expect((await ask(`/v2/alerts?token=${client.plain.token}`, {})).status).toBe(401);
    expect((await ask('/v2/alerts', { 'X-Webhook-Auth': client.plain.key ?? '' })).status).toBe(200);
    const auto = await world.newSource();
    const refused = await ask('/v2/alerts', { Authorization: `GenieKey ${auto.key}` });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ message: expect.stringContaining('source of another type') });
    await world.expectNewest(auto.source.id, { outcome: 'refused', status: 422 });
  });

  test('pings a heartbeat that was given to it by its name, and no other', async () => {
    const [mine, other] = [await newClient(), await newClient()];
    const { id, name } = await makeHeartbeat(
      { admin },
      { name: `Ping ${crypto.randomUUID()}`, sourceId: mine.source.id },
    );
    const path = `/v2/heartbeats/${encodeURIComponent(name.toUpperCase())}/ping`;
    for (const method of ['GET', 'POST', 'PUT', 'PATCH']) {
      const answer = await mine.call(method, path);
      expect(answer).toMatchObject({ status: 202, body: { result: 'PONG - Heartbeat received' } });
    }
    expect((await other.call('GET', path)).status).toBe(404);
    expect((await mine.call('GET', '/v2/heartbeats/nothing/ping')).status).toBe(404);
    const read = await admin.get(`/api/heartbeats/${id}`);
    expect(await read.json()).toMatchObject({
      state: 'ok',
      beats: [1, 2, 3, 4].map((number) => ({ number, kind: 'ok' })),
    });
    await admin.send('DELETE', `/api/sources/${mine.source.id}`);
    expect(await (await admin.get(`/api/heartbeats/${id}`)).json()).toMatchObject({ sourceId: null, version: 2 });
  });

  test('is deleted, and open pages learn that it pings no heartbeat any more', async () => {
    const [one, other] = [await newClient(), await newClient()];
    const { id } = await makeHeartbeat({ admin }, { name: `Ping ${crypto.randomUUID()}`, sourceId: one.source.id });
    const { socket, events } = await listenLive(admin);
    onTestFinished(() => socket.close());
    const ofSources = () => events.filter(({ type }) => type === 'source_changed').length;
    await admin.send('DELETE', `/api/sources/${other.source.id}`);
    await expect.poll(ofSources).toBeGreaterThan(0);
    expect(events.map(({ type }) => type)).not.toContain('heartbeats_changed');
    await admin.send('DELETE', `/api/sources/${one.source.id}`);
    await expect.poll(() => events.map(({ type }) => type)).toContain('heartbeats_changed');
    expect(await (await admin.get(`/api/heartbeats/${id}`)).json()).toMatchObject({ sourceId: null });
  });

  test.each([
    ['POST', '/v2/heartbeats', 'Of heartbeats only pings are supported.'],
    ['GET', '/v2/heartbeats/db', 'Of heartbeats only pings are supported.'],
    ['POST', '/v2/alerts/a/escalate', 'POST of escalate is not supported.'],
    ['GET', '/v2/alerts/a/attachments', 'GET of attachments is not supported.'],
    ['GET', '/v2/alerts/saved-searches', 'GET of saved-searches is not supported.'],
    ['GET', '/v2/teams', 'teams of Opsgenie'],
    ['POST', '/v1/incidents/create', 'incidents of Opsgenie'],
  ])('is answered 422 for %s %s, which stands in the log', async (method, path, message) => {
    const client = await newClient();
    const answer = await client.call(method, path);
    expect(answer).toMatchObject({ status: 422, body: { message: expect.stringContaining(message) } });
    await world.expectNewest(client.source.id, { outcome: 'refused', status: 422, path });
  });
});

const takeOver = (id: string, ownKey: string) =>
  admin.send('POST', `/api/sources/${id}/rotate`, { kind: 'key', ownKey });
const countWith = (key: string) => ask('/v2/alerts/count', { Authorization: `geniekey  ${key}` });

describe('a key that senders have already', () => {
  test('becomes the source’s, so that only the host changes for them; it is nobody else’s then', async () => {
    const [client, other] = [await newClient(), await newClient()];
    const key = crypto.randomUUID();
    expect((await countWith(key)).status).toBe(401);
    expect((await takeOver(client.source.id, key)).status).toBe(201);
    expect((await countWith(key)).status).toBe(200);
    // The one before works for a day.
    expect((await countWith(client.plain.key ?? '')).status).toBe(200);
    expect((await takeOver(other.source.id, key)).status).toBe(409);
    expect((await takeOver(client.source.id, 'short')).status).toBe(422);
    const audit = await (await admin.get('/api/audit')).text();
    expect(audit).toContain('A key that its senders have already');
    expect(audit).not.toContain(key);
  });

  test('is no secret of the answer: the log and the alert have it masked', async () => {
    const client = await newClient();
    const key = client.plain.key ?? '';
    await client.call('POST', '/v2/alerts', { message: `Key ${key}`, alias: 'a', details: { key } });
    await client.call('POST', `/v2/alerts/a/notes${ALIAS}`, { note: `Key ${key}` });
    const [alert, notes] = [await client.get('a'), await client.call('GET', `/v2/alerts/a/notes${ALIAS}`)];
    expect(JSON.stringify([alert, notes.body])).not.toContain(key.slice(3, -4));
    const row = await world.expectNewest(client.source.id, { status: 202 });
    expect(JSON.stringify(row)).not.toContain(key.slice(3, -4));
  });
});

describe('lists', () => {
  test('have what is searched for, in pages, and counts agree', async () => {
    const client = await newClient();
    for (const [index, priority] of ['P1', 'P2', 'P3', 'P4', 'P5'].entries()) {
      await client.call('POST', '/v2/alerts', {
        message: `Disk ${index} of db`,
        alias: `disk-${index}`,
        priority,
        tags: [index % 2 === 0 ? 'even' : 'odd'],
      });
    }
    await client.done('POST', `/v2/alerts/disk-0/close${ALIAS}`);
    await client.done('POST', `/v2/alerts/disk-1/acknowledge${ALIAS}`);
    const aliases = async (query: string) => (await client.list(query)).map(({ alias }) => alias);
    expect(await aliases('')).toEqual(['disk-4', 'disk-3', 'disk-2', 'disk-1', 'disk-0']);
    expect(await aliases('status: open AND tag: even')).toEqual(['disk-4', 'disk-2']);
    expect(await aliases('status: closed OR acknowledged: true')).toEqual(['disk-1', 'disk-0']);
    expect(await aliases('priority >= P2')).toEqual(['disk-1', 'disk-0']);
    expect(await aliases('alias: (disk-1 OR disk-2) message: "2 of"')).toEqual(['disk-2']);
    const { body } = await client.call('GET', `/v2/alerts/count?query=${encodeURIComponent('NOT status: closed')}`);
    expect(body.data).toEqual({ count: 4 });
    const page = await client.call('GET', '/v2/alerts?limit=2&offset=1&sort=alias&order=asc');
    expect((page.body.data as unknown as Data[]).map(({ alias }) => alias)).toEqual(['disk-1', 'disk-2']);
    expect(page.body.paging).toEqual({
      first: `${server.url}/v2/alerts?limit=2&sort=alias&order=asc&offset=0`,
      prev: `${server.url}/v2/alerts?limit=2&sort=alias&order=asc&offset=0`,
      next: `${server.url}/v2/alerts?limit=2&sort=alias&order=asc&offset=3`,
    });
  });

  test('link to their next pages by the address that a proxy was asked by', async () => {
    const proxied = await startTestServer({ TRUST_PROXY: '1', ALLOWED_HOSTS: 'alerts.example.com,127.0.0.1' });
    onTestFinished(() => proxied.destroy());
    const { call } = await newOpsgenieClient(await proxied.signedIn({ role: 'admin' }), [proxied.url]);
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'alerts.example.com' };
    const { body } = await call('GET', '/v2/alerts?limit=2', undefined, headers);
    expect(body.paging).toEqual({ first: 'https://alerts.example.com/v2/alerts?limit=2&offset=0' });
  });

  test.each([
    ['query=owner:anna', 'The field owner cannot be searched.'],
    ['query=status:new', 'status is one of open, closed.'],
    ['query=createdAt>soon', 'soon is no time for createdAt'],
    ['query=(status:open', 'a bracket that does not end'],
    ['searchIdentifier=x', 'Saved searches are not supported.'],
    ['sort=owner', 'Alerts cannot be sorted by owner.'],
    ['limit=101', 'limit is a whole number from 1 to 100.'],
    ['order=up', 'order is asc or desc.'],
  ])('that ask for %s are 422 with a sentence', async (query, message) => {
    const client = await newClient();
    const answer = await client.call('GET', `/v2/alerts?${query}`);
    expect(answer).toMatchObject({ status: 422, body: { message: expect.stringContaining(message) } });
  });
});
