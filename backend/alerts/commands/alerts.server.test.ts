import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { alertSchema } from '#backend/contract/alert.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let key: string;
let anna: TestClient;
let ben: TestClient;
let admin: TestClient;
let superUser: TestClient;
let id: string;

beforeAll(async () => {
  server = await startTestServer();
  key = await server.addApiKey();
  anna = await server.signedIn({ displayName: 'Anna' });
  ben = await server.signedIn({ displayName: 'Ben' });
  admin = await server.signedIn({ role: 'admin' });
  superUser = await server.signedIn({ role: 'super_user' });
});
afterAll(async () => {
  await expectTrueCounts(server.database);
  await server.destroy();
});
beforeEach(async () => {
  ({ id } = await anna.postAlert(key));
});

const accept = (member: TestClient) => member.send('POST', `/api/alerts/${id}/accept`);
const unaccept = (member: TestClient) => member.send('POST', `/api/alerts/${id}/unaccept`);
const unacceptOf = (member: TestClient, ifOwner: string) =>
  member.send('POST', `/api/alerts/${id}/unaccept?ifOwner=${ifOwner}`);
const setStatus = (member: TestClient, status: string) =>
  member.send('PATCH', `/api/webhooks/${id}/status`, { status });
const remove = (member: TestClient) => member.send('DELETE', `/api/webhooks/${id}`);
const removeOf = (member: TestClient, ifOwner: string) =>
  member.send('DELETE', `/api/webhooks/${id}?ifOwner=${ifOwner}`);
const history = async (member: TestClient) =>
  historySchema.parse(await (await member.get(`/api/alerts/${id}/history`)).json());
const actions = async () => (await history(admin)).map(({ action }) => action);
const inboxIds = async () => (await anna.alerts('/api/alerts/inbox')).map((alert) => alert.id);

describe('accepting', () => {
  test('moves the alert from the inbox to the member’s queue', async () => {
    const response = await accept(anna);
    expect(response.status).toBe(200);
    expect(alertSchema.parse(await response.json())).toMatchObject({
      id,
      status: 'accepted',
      ownerId: anna.id,
      ownerName: 'Anna',
    });
    expect(await inboxIds()).not.toContain(id);
    expect((await anna.alerts('/api/alerts/mine')).map((alert) => alert.id)).toContain(id);
    expect((await ben.alerts('/api/alerts/mine')).map((alert) => alert.id)).not.toContain(id);
    expect(await history(anna)).toMatchObject([
      { action: 'accepted', userDisplayName: 'Anna' },
      { action: 'received', userDisplayName: 'Test key' },
    ]);
  });

  test('twenty people at once: one wins, nineteen learn who', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => server.signedIn()));
    const responses = await Promise.all(people.map(accept));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
    const winner = people[statuses.indexOf(200)]?.session?.displayName;
    const sentences = await Promise.all(
      responses.filter(({ status }) => status === 409).map((response) => response.text()),
    );
    expect(new Set(sentences)).toEqual(new Set([`Already accepted by ${winner}.`]));
    expect(await actions()).toEqual(['accepted', 'received']);
  });

  test('again by the owner changes nothing', async () => {
    await accept(anna);
    expect((await accept(anna)).status).toBe(200);
    expect(await actions()).toEqual(['accepted', 'received']);
  });

  test('with a status gives it in the same step, of several at once to one; again it sets the status alone', async () => {
    const complete = (member: TestClient) => member.send('POST', `/api/alerts/${id}/accept?status=completed`);
    const statuses = (await Promise.all([complete(anna), complete(ben)])).map((response) => response.status);
    expect(statuses.toSorted()).toEqual([200, 409]);
    const winner = statuses[0] === 200 ? anna : ben;
    expect(await actions()).toEqual(['status_change', 'accepted', 'received']);
    const start = await winner.send('POST', `/api/alerts/${id}/accept?status=in-progress`);
    expect(alertSchema.parse(await start.json())).toMatchObject({ status: 'in-progress', ownerId: winner.id });
    expect(await actions()).toEqual(['status_change', 'status_change', 'accepted', 'received']);
    expect((await winner.send('POST', `/api/alerts/${id}/accept?status=gone`)).status).toBe(400);
    expect((await unaccept(winner)).status).toBe(200);
    expect(await inboxIds()).toContain(id);
  });

  test('an unknown alert is 404, a bad id 400', async () => {
    await remove(anna);
    expect((await accept(anna)).status).toBe(404);
    expect((await anna.send('POST', '/api/alerts/not-an-id/accept')).status).toBe(400);
  });
});

describe('unaccepting', () => {
  test.each([
    ['the owner', () => anna],
    ['an administrator', () => admin],
    ['a super user', () => superUser],
  ])('by %s returns it to the inbox', async (_who, member) => {
    await accept(anna);
    const response = await unaccept(member());
    expect(response.status).toBe(200);
    const alert = alertSchema.parse(await response.json());
    expect(alert.status).toBe('pending');
    expect(alert).not.toHaveProperty('ownerId');
    expect(await inboxIds()).toContain(id);
    expect((await actions())[0]).toBe('unaccepted');
  });

  test('by another member is 404 and changes nothing', async () => {
    await accept(anna);
    expect((await unaccept(ben)).status).toBe(404);
    expect(await actions()).toEqual(['accepted', 'received']);
  });

  test('by an administrator is 409 when it has another owner than when that was decided, and names who', async () => {
    await accept(anna);
    const response = await unacceptOf(admin, ben.id);
    expect([response.status, await response.text()]).toEqual([409, 'Already accepted by Anna.']);
    expect(await actions()).toEqual(['accepted', 'received']);
    expect((await unacceptOf(admin, anna.id)).status).toBe(200);
  });

  test('of what is in the inbox changes nothing', async () => {
    expect((await unaccept(ben)).status).toBe(200);
    expect(await actions()).toEqual(['received']);
  });
});

describe('deleting what was decided on', () => {
  test('by an administrator is 409 when a colleague has accepted it since, and names who', async () => {
    await accept(anna);
    const response = await removeOf(admin, 'none');
    expect([response.status, await response.text()]).toEqual([409, 'Already accepted by Anna.']);
    expect(await actions()).toEqual(['accepted', 'received']);
  });

  test('is 409 when it was returned to the inbox since', async () => {
    await accept(anna);
    await unaccept(anna);
    const response = await removeOf(admin, anna.id);
    expect([response.status, await response.text()]).toEqual([409, 'This alert was returned to the inbox.']);
    expect(await actions()).toEqual(['unaccepted', 'accepted', 'received']);
  });

  test('succeeds while it is as it was', async () => {
    await accept(anna);
    expect((await removeOf(admin, anna.id)).status).toBe(204);
    ({ id } = await anna.postAlert(key));
    expect((await removeOf(ben, 'none')).status).toBe(204);
  });

  test('is 409 for one of a deletion and an acceptance at once', async () => {
    const [deleted, accepted] = await Promise.all([removeOf(admin, 'none'), accept(anna)]);
    expect([
      [204, 404],
      [409, 200],
    ]).toContainEqual([deleted.status, accepted.status]);
  });

  test('takes an id or "none" only', async () => {
    expect((await removeOf(admin, 'Anna')).status).toBe(400);
  });
});

describe('the status', () => {
  test('goes from any to any other, each with its history', async () => {
    await accept(anna);
    for (const status of ['completed', 'in-progress', 'accepted']) {
      expect(alertSchema.parse(await (await setStatus(anna, status)).json()).status).toBe(status);
    }
    expect((await history(anna)).slice(0, 3)).toMatchObject([
      { action: 'status_change', previousStatus: 'in-progress', newStatus: 'accepted' },
      { action: 'status_change', previousStatus: 'completed', newStatus: 'in-progress' },
      { action: 'status_change', previousStatus: 'accepted', newStatus: 'completed' },
    ]);
  });

  test('the same again leaves no trace', async () => {
    await accept(anna);
    expect((await setStatus(anna, 'accepted')).status).toBe(200);
    expect(await actions()).toEqual(['accepted', 'received']);
  });

  test.each([
    ['a member who does not own it', () => ben, 404],
    ['an administrator who does not own it', () => admin, 403],
  ])('is not for %s', async (_who, member, status) => {
    await accept(anna);
    expect((await setStatus(member(), 'completed')).status).toBe(status);
    expect(await actions()).toEqual(['accepted', 'received']);
  });

  test('needs an owner, and one of the three', async () => {
    expect((await setStatus(anna, 'completed')).status).toBe(409);
    await accept(anna);
    const response = await setStatus(anna, 'pending');
    expect(response.status).toBe(422);
    expect(await response.text()).toMatch(/status/);
  });
});

describe('deleting', () => {
  test('in the inbox is any member’s', async () => {
    expect((await remove(ben)).status).toBe(204);
    expect(await inboxIds()).not.toContain(id);
    expect((await remove(ben)).status).toBe(404);
  });

  test('its history stays readable to administrators only', async () => {
    await remove(ben);
    expect(await actions()).toEqual(['deleted', 'received']);
    expect((await anna.get(`/api/alerts/${id}/history`)).status).toBe(404);
  });

  test.each([
    ['its owner', () => anna, 403],
    ['another member', () => ben, 404],
    ['an administrator', () => admin, 204],
    ['a super user', () => superUser, 204],
  ])('an accepted alert by %s', async (_who, member, status) => {
    await accept(anna);
    expect((await remove(member())).status).toBe(status);
  });
});

test('the history of an accepted alert is its owner’s and the administrators’', async () => {
  await accept(anna);
  expect((await anna.get(`/api/alerts/${id}/history`)).status).toBe(200);
  expect((await superUser.get(`/api/alerts/${id}/history`)).status).toBe(200);
  expect((await ben.get(`/api/alerts/${id}/history`)).status).toBe(404);
});

describe('paging', () => {
  test('walks the whole inbox, newest first, once', async () => {
    for (let count = 0; count < 7; count += 1) await anna.postAlert(key);
    const all = await inboxIds();
    expect(all).toEqual(all.toSorted().toReversed());

    const walked: string[] = [];
    let path: string | undefined = '/api/alerts/inbox?limit=3';
    while (path) {
      const response = await anna.get(path);
      expect(response.headers.get('X-Total-Count')).toBe(String(all.length));
      walked.push(
        ...z
          .array(alertSchema)
          .parse(await response.json())
          .map((alert) => alert.id),
      );
      path = /<(?<next>[^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.groups?.['next'];
    }
    expect(walked).toEqual(all);
  });

  test.each(['limit=0', 'limit=501', 'limit=x', 'before=x', 'limit=1&limit=2'])('refuses %s', async (query) => {
    expect((await anna.get(`/api/alerts/inbox?${query}`)).status).toBe(400);
  });
});

test('nobody signed in sees or changes anything', async () => {
  const stranger = server.anonymous();
  const calls = [
    stranger.get('/api/alerts/inbox'),
    stranger.get('/api/alerts/mine'),
    stranger.get(`/api/alerts/${id}/history`),
    accept(stranger),
    unaccept(stranger),
    setStatus(stranger, 'completed'),
    remove(stranger),
  ];
  for (const response of await Promise.all(calls)) {
    expect(response.status).toBe(401);
    expect(await response.text()).toBe('Sign in first.');
  }
  expect(await actions()).toEqual(['received']);
});
