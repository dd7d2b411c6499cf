import { problemSchema } from '#backend/contract/problem.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Source, sourceListSchema, sourceSchema, sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { sourceNameListSchema } from '#backend/contract/sender.ts';
import { SourceEntity, SourceSecretEntity } from './source-entity.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin', displayName: 'Maya Lindqvist' });
});
afterAll(() => server.destroy());

let made = 0;
const create = async (name = `Source ${(made += 1)}`) =>
  sourceWithSecretsSchema.parse(await (await admin.send('POST', '/api/sources', { name })).json());
const change = (id: string, body: unknown) => admin.send('PATCH', `/api/sources/${id}`, body);
const rotate = (id: string, kind: string) => admin.send('POST', `/api/sources/${id}/rotate`, { kind });
const read = async (id: string): Promise<Source> =>
  sourceSchema.parse(await (await admin.get(`/api/sources/${id}`)).json());
const post = async (key: string) => (await admin.post(key, { n: 1 })).status;

test('a new source has a key and a token, which are shown once and stored by their hash', async () => {
  const { source, plain } = await create('  Alertmanager production ');
  expect(source).toMatchObject({
    name: 'Alertmanager production',
    health: { state: 'never-used', reason: null, since: null },
    recognisedAs: null,
    lastDeliveryAt: null,
  });
  expect(plain.key).toMatch(/^ad_[\w-]{43}$/);
  expect(plain.token).toMatch(/^adt_[\w-]{43}$/);
  expect(source.secrets.map(({ kind, hint, createdBy }) => [kind, hint, createdBy]).toSorted()).toEqual([
    ['key', plain.key?.slice(-4), 'Maya Lindqvist'],
    ['token', plain.token?.slice(-4), 'Maya Lindqvist'],
  ]);
  const everything = JSON.stringify([
    await (await admin.get('/api/sources')).text(),
    await server.database.reads.getRepository(SourceEntity).find(),
    await server.database.reads.getRepository(SourceSecretEntity).find(),
  ]);
  expect(everything).not.toContain(plain.key);
  expect(everything).not.toContain(plain.token);
  expect(await post(plain.key ?? '')).toBe(202);
  // A token is for addresses.
  expect(await post(plain.token ?? '')).toBe(401);
});

test('names are unique without regard to case; API keys get a number', async () => {
  const { source } = await create('Shop orders');
  const taken = await admin.send('POST', '/api/sources', { name: 'SHOP Orders' });
  expect([taken.status, await taken.text()]).toEqual([409, 'A source with this name already exists.']);
  const { source: other } = await create('Shop invoices');
  const renamed = await change(other.id, { name: 'shop orders' });
  expect([renamed.status, await renamed.text()]).toEqual([409, 'A source with this name already exists.']);
  expect((await change(source.id, { name: 'Shop ORDERS' })).status).toBe(200);
  const key = (await (await admin.send('POST', '/api/api-keys', { name: 'Shop orders' })).json()) as { name: string };
  expect(key.name).toBe('Shop orders 2');
  const atOnce = await Promise.all(
    Array.from({ length: 5 }, () => admin.send('POST', '/api/sources', { name: 'At once' })),
  );
  expect(atOnce.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
});

test('the list is by name; members see names alone', async () => {
  await create('Zulu');
  await create('alpha 10');
  await create('Alpha 9');
  const names = sourceListSchema.parse(await (await admin.get('/api/sources')).json()).map(({ name }) => name);
  expect(names.filter((name) => /^(alpha|zulu)/i.test(name))).toEqual(['Alpha 9', 'alpha 10', 'Zulu']);
  const member = await server.signedIn();
  const seen = await (await member.get('/api/source-names')).json();
  expect(sourceNameListSchema.parse(seen).map(({ name }) => name)).toEqual(names);
  expect(Object.keys((seen as object[])[0] ?? {}).toSorted()).toEqual(['id', 'name', 'sender']);
});

const request = (body: object) => admin.send('POST', '/api/sources', { name: crypto.randomUUID(), ...body });
const count = async () => (await (await admin.get('/api/sources')).json()).length;

describe('changes', () => {
  test('what is absent stays, also of settings that change at the same moment', async () => {
    const { source } = await create();
    await Promise.all([
      change(source.id, { settings: { onResolved: 'keep' } }),
      change(source.id, { settings: { reopenWithinMinutes: 0 } }),
      change(source.id, { settings: { defaultCustomer: ' Nordwind ' } }),
    ]);
    expect((await read(source.id)).settings).toEqual({
      ...source.settings,
      onResolved: 'keep',
      reopenWithinMinutes: 0,
      defaultCustomer: 'Nordwind',
    });
  });

  test('each change counts, and one that was decided on another version is refused with the source as it is', async () => {
    const { source } = await create();
    expect(source.version).toBe(1);
    const theirs = await change(source.id, { settings: { mapping: { title: 'a' } } });
    expect(sourceSchema.parse(await theirs.json()).version).toBe(2);
    const mine = await admin.send(
      'PATCH',
      `/api/sources/${source.id}?ifVersion=1`,
      { name: 'Mine', settings: { mapping: { title: 'b' } } },
      { Accept: 'application/json' },
    );
    expect(mine.status).toBe(409);
    const problem = problemSchema.parse(await mine.json());
    expect(problem).toMatchObject({
      type: 'urn:alertdesk:problem:changed-meanwhile',
      detail: 'This source was changed in the meantime. Reload it and try again.',
    });
    expect(sourceSchema.parse(problem.source)).toMatchObject({
      version: 2,
      name: source.name,
      settings: { mapping: { title: 'a' } },
    });
    expect(await read(source.id)).toMatchObject({ version: 2, settings: { mapping: { title: 'a' } } });
    const again = await admin.send('PATCH', `/api/sources/${source.id}?ifVersion=2`, { isPaused: true });
    expect(sourceSchema.parse(await again.json()).version).toBe(3);
    const gone = await admin.send('PATCH', `/api/sources/${crypto.randomUUID()}?ifVersion=1`, { isPaused: true });
    expect(gone.status).toBe(404);
  });

  test('of several on one version at once one is made, and deliveries leave the version as it is', async () => {
    const { source, plain } = await create();
    expect(await post(plain.key ?? '')).toBe(202);
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((title) =>
        admin.send('PATCH', `/api/sources/${source.id}?ifVersion=1`, { settings: { mapping: { title } } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect((await read(source.id)).version).toBe(2);
  });

  test('a new source has its settings and its signing secret at once, or is not made at all', async () => {
    const auth = { key: true, basic: false, token: true, signature: 'github' };
    const settings = { auth, defaultCustomer: 'Nordwind' };
    const answer = await request({ adapter: 'github', settings, signingSecret: 'a secret of ours' });
    const { source } = sourceWithSecretsSchema.parse(await answer.json());
    expect(source.settings).toMatchObject({ adapter: 'github', ...settings, onResolved: 'complete' });
    expect(source.secrets.map(({ kind }) => kind).toSorted()).toEqual(['key', 'signing', 'token']);

    const before = await count();
    expect((await request({ settings })).status).toBe(409);
    expect((await request({ settings: { mapping: { title: 'a[' } } })).status).toBe(422);
    expect(await count()).toBe(before);
  });

  test('a pause names who made it, and ends', async () => {
    const { source } = await create();
    const paused = sourceSchema.parse(await (await change(source.id, { isPaused: true })).json());
    expect(paused).toMatchObject({
      pausedBy: 'Maya Lindqvist',
      health: { state: 'paused', reason: 'By Maya Lindqvist.', since: paused.pausedAt },
    });
    const resumed = sourceSchema.parse(await (await change(source.id, { isPaused: false })).json());
    expect(resumed).toMatchObject({ pausedAt: null, pausedBy: null });
  });

  test.each([
    [{ settings: { reopenWithinMinutes: -1 } }, /reopenWithinMinutes/],
    [{ settings: { auth: { key: true } } }, /auth/],
    [{ settings: { adapter: 'nagios' } }, /adapter/],
    [{ settings: { keepDeliveriesDays: 15 } }, /keepDeliveriesDays/],
    [{ name: '' }, /name/],
    [{ isPaused: 'yes' }, /isPaused/],
  ])('%j is not acceptable', async (body, said) => {
    const { source } = await create();
    const response = await change(source.id, body);
    expect(response.status).toBe(422);
    expect(await response.text()).toMatch(said);
    expect((await read(source.id)).settings).toEqual(source.settings);
  });

  test('unknown ids are 404', async () => {
    const id = '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80';
    expect((await admin.get(`/api/sources/${id}`)).status).toBe(404);
    expect((await change(id, { isPaused: true })).status).toBe(404);
    expect((await rotate(id, 'key')).status).toBe(404);
    expect((await admin.send('DELETE', `/api/sources/${id}`)).status).toBe(404);
  });
});

describe('secrets', () => {
  test('after a rotation both keys work, until the old one is ended', async () => {
    const { source, plain } = await create();
    const { plain: fresh } = sourceWithSecretsSchema.parse(await (await rotate(source.id, 'key')).json());
    expect(fresh.token).toBeUndefined();
    expect([await post(plain.key ?? ''), await post(fresh.key ?? '')]).toEqual([202, 202]);
    const { secrets } = await read(source.id);
    const keys = secrets.filter(({ kind }) => kind === 'key');
    const old = keys.find(({ expiresAt }) => expiresAt !== null);
    const left = Date.parse(old?.expiresAt ?? '') - Date.now();
    expect(left).toBeGreaterThan(23.9 * 3_600_000);
    expect(left).toBeLessThanOrEqual(24 * 3_600_000);

    const again = await rotate(source.id, 'key');
    expect([again.status, await again.text()]).toEqual([
      409,
      expect.stringMatching(/^An older credential works until /),
    ]);
    const current = keys.find(({ expiresAt }) => expiresAt === null);
    const refused = await admin.send('DELETE', `/api/sources/${source.id}/secrets/${current?.id}`);
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringMatching(/Rotate it first/)]);

    expect((await admin.send('DELETE', `/api/sources/${source.id}/secrets/${old?.id}`)).status).toBe(204);
    expect([await post(plain.key ?? ''), await post(fresh.key ?? '')]).toEqual([401, 202]);
    expect((await rotate(source.id, 'key')).status).toBe(201);
  });

  test('an old key ends by the clock', async () => {
    const { source, plain } = await create();
    await rotate(source.id, 'key');
    expect(await post(plain.key ?? '')).toBe(202);
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 24 * 3_600_000 + 1_000);
    try {
      expect(await post(plain.key ?? '')).toBe(401);
    } finally {
      clock.mockRestore();
    }
  });

  test('a signing secret is stored encrypted, and needed while signatures are required', async () => {
    const { source } = await create();
    const auth = { ...source.settings.auth, signature: 'github' };
    const early = await change(source.id, { settings: { auth } });
    expect([early.status, await early.text()]).toEqual([409, expect.stringMatching(/Add the signing secret first/)]);
    const secret = "It's a Secret to Everybody";
    const added = await admin.send('POST', `/api/sources/${source.id}/signing-secrets`, { secret });
    expect(added.status).toBe(201);
    const signing = sourceSchema.parse(await added.json()).secrets.find(({ kind }) => kind === 'signing');
    expect(signing?.hint).toBe('body');
    expect(JSON.stringify(await server.database.reads.getRepository(SourceSecretEntity).find())).not.toContain(secret);
    expect((await change(source.id, { settings: { auth } })).status).toBe(200);
    const address = `/api/sources/${source.id}/secrets/${signing?.id}`;
    expect((await admin.send('DELETE', address)).status).toBe(409);
    expect((await change(source.id, { settings: { auth: source.settings.auth } })).status).toBe(200);
    expect((await admin.send('DELETE', address)).status).toBe(204);
    expect((await read(source.id)).secrets.filter(({ kind }) => kind === 'signing')).toEqual([]);
  });

  test('a secret that is no key of the required scheme is refused, when it is added and when the scheme is required', async () => {
    const { source } = await create();
    const auth = { ...source.settings.auth, signature: 'standard-webhooks' };
    const add = (secret: string) => admin.send('POST', `/api/sources/${source.id}/signing-secrets`, { secret });
    expect((await add('!!!!!!!!!!!!')).status).toBe(201);
    expect((await change(source.id, { settings: { auth } })).status).toBe(422);
    expect((await add(`whsec_${Buffer.alloc(24, 7).toString('base64')}`)).status).toBe(201);
    expect((await change(source.id, { settings: { auth } })).status).toBe(200);
    const settings = { auth };
    const whole = { name: 'Made at once', adapter: 'generic', settings, signingSecret: 'whsec_!!!!!!!!' };
    expect((await admin.send('POST', '/api/sources', whole)).status).toBe(422);
    const { source: other } = await create();
    const long = { secret: `whsec_${Buffer.alloc(24, 8).toString('base64')}` };
    await admin.send('POST', `/api/sources/${other.id}/signing-secrets`, long);
    expect((await change(other.id, { settings: { auth } })).status).toBe(200);
    expect((await admin.send('POST', `/api/sources/${other.id}/signing-secrets`, { secret: 'whsec_!!' })).status).toBe(
      422,
    );
  });

  test('another source’s secret is 404', async () => {
    const [one, other] = [await create(), await create()];
    const [secret] = other.source.secrets;
    expect((await admin.send('DELETE', `/api/sources/${one.source.id}/secrets/${secret?.id}`)).status).toBe(404);
  });

  test('of two rotations at the same moment one wins', async () => {
    const { source } = await create();
    const answers = await Promise.all([rotate(source.id, 'key'), rotate(source.id, 'key')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });
});

test('a deleted source refuses at once, and what was committed stays', async () => {
  const { source, plain } = await create();
  const posts = Array.from({ length: 30 }, async (_, n) => {
    if (n === 10) await admin.send('DELETE', `/api/sources/${source.id}`);
    return post(plain.key ?? '');
  });
  for (const status of await Promise.all(posts)) expect([202, 401]).toContain(status);
  expect(await post(plain.key ?? '')).toBe(401);
  expect((await admin.get(`/api/sources/${source.id}`)).status).toBe(404);
});

test('posting goes on while keys rotate', async () => {
  const { source, plain } = await create();
  const posting = Promise.all(Array.from({ length: 40 }, () => post(plain.key ?? '')));
  const rotated = await rotate(source.id, 'key');
  expect(rotated.status).toBe(201);
  expect(new Set(await posting)).toEqual(new Set([202]));
});
